import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Actor, Ctx } from '#server/context.ts';
import { RULES, RuleSetting, type Rules, ruleOf, SETTABLE_CODES, SetRule, settingOf } from '#server/contract/rules.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { hasAnyRole, isEngineerOf } from './rights.ts';

export const SetRuleInput = SetRule.extend({ team: z.string().max(48), code: z.string().max(40) });

type SetBy = Rules['rules'][number]['setBy'];
const SETTERS: readonly SetBy[] = ['team', 'security', 'operator'];

/** GET /api/settings/rules: every rule that can be set and what each team made of it. Readable by everybody signed in. */
export async function readRules(ctx: Ctx): Promise<Rules> {
  const teams = await ctx.db.team.findMany({ orderBy: { name: 'asc' }, select: { name: true, displayName: true } });
  const set = await ctx.db.teamRule.findMany({ orderBy: [{ team: 'asc' }, { code: 'asc' }] });
  return {
    rules: SETTABLE_CODES.flatMap((code) => {
      const { section, about, setBy, severity } = RULES[code];
      return setBy === null ? [] : [{ code, section, about, setBy, usual: settingOf({ severity }) }];
    }),
    set: set.map(({ team, code, setting, reason, setByName, setAt }) => ({
      team,
      code,
      setting: RuleSetting.parse(setting),
      reason,
      by: setByName,
      atMs: setAt.getTime(),
    })),
    teams: teams.map((team) => ({ ...team, may: SETTERS.filter((setBy) => maySet(ctx.actor, team.name, setBy)) })),
  };
}

/**
 * PUT /api/settings/teams/{team}/rules/{code}: what the team makes of a rule from now on, or back to what is usual. Rules of
 * types are the team's engineers', those of policies security's, those of quotas an operator's; an admin may set any.
 * Refuses with `not_found`, `not_permitted`, `invalid_input` for a rule that always holds.
 */
export async function setRule(ctx: Ctx, input: z.infer<typeof SetRuleInput>): Promise<object> {
  const rule = ruleOf(input.code);
  if (rule === undefined) throw new ServerError('not_found', { publicMessage: `There is no rule ${input.code}.` });
  if (rule.setBy === null) {
    throw new ServerError('invalid_input', {
      publicMessage: `${input.code} always holds: what it finds could not be compiled or served.`,
    });
  }
  const { setBy } = rule;
  await withTransaction(ctx.db, async (tx) => {
    const team = await tx.team.findUnique({ where: { name: input.team } });
    if (team === null) throw new ServerError('not_found', { publicMessage: `There is no team ${input.team}.` });
    if (!maySet(ctx.actor, team.name, setBy)) throw notYours(team.name, setBy);
    const key = { team_code: { team: team.name, code: input.code } };
    const before = await tx.teamRule.findUnique({ where: key });
    if (input.setting === null) await tx.teamRule.deleteMany({ where: key.team_code });
    else {
      const fields = {
        setting: input.setting,
        reason: input.reason,
        setAt: new Date(ctx.nowMs),
        setById: ctx.actor.id,
        setByName: ctx.actor.name,
      };
      await tx.teamRule.upsert({ where: key, update: fields, create: { ...key.team_code, ...fields } });
    }
    await appendAudit(tx, ctx, {
      did: 'set the rule',
      what: `${input.code} of team ${team.name} to ${input.setting ?? 'what is usual'}`,
      href: '/settings?tab=rules',
      because: input.reason,
      before: { setting: before?.setting ?? null },
      after: { setting: input.setting },
    });
    await notify(tx, 'settings', 'changes');
  });
  return {};
}

function maySet(actor: Actor, team: string, setBy: SetBy): boolean {
  if (hasAnyRole(actor, 'admin')) return true;
  return setBy === 'team' ? isEngineerOf(actor, team) : hasAnyRole(actor, setBy);
}

function notYours(team: string, setBy: SetBy): ServerError {
  const who = setBy === 'team' ? `An engineer of team ${team}` : setBy === 'security' ? 'Security' : 'An operator';
  return new ServerError('not_permitted', { publicMessage: `${who} or an admin sets this rule.` });
}
