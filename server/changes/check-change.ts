import 'server-only';
import { z } from 'zod';
import { check } from '#server/compile/compile.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import type { ChangeDetail, PolicyTestResult } from '#server/contract/changes.ts';
import { RuleSetting, type Section } from '#server/contract/rules.ts';
import type { StoredChange } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import { draftOf } from '#server/publication/draft-of.ts';
import { loadCheckInput } from '#server/publication/load-definitions.ts';
import { loadPublished } from '#server/publication/load-published.ts';
import { isOpen, StoredState } from './change-states.ts';
import { applyRules, bySeverity } from './checks/apply-rules.ts';
import { checkGateways } from './checks/check-gateways.ts';
import { type KeptVerdict, readKept } from './checks/kept-verdict.ts';
import { readSlowChecks } from './checks/read-checks.ts';
import { type Asker, NOBODY, readableBy, type StoredFinding } from './checks/stored-finding.ts';

/** The verdict of a change: all that was found, by section, and how far the slow checks are. */
export type Verdict = Omit<KeptVerdict, 'findings'> & Pick<ChangeDetail, 'findings'>;

/** Who wants to know, when, and whether to act on it: then a slow check without a result is a finding. */
export interface Asking {
  readonly nowMs: number;
  readonly actor?: Asker;
  readonly isActing?: boolean;
}

const NOTHING: KeptVerdict = { findings: [], effects: [], checks: [], tests: [] };

/**
 * Checks a stored change against what is published now, with the rules of the teams that own what it edits. A published one
 * is checked no more: its verdict is the one it was published with, whatever has been published since.
 */
export async function checkStored(db: Reader, change: StoredChange, asking: Asking): Promise<Verdict> {
  return readable(db, await judge(db, change, asking), asking);
}

/** The same with every finding as it is kept, for nobody in particular. */
export async function judge(db: Reader, change: StoredChange, asking: Asking): Promise<KeptVerdict> {
  if (change.edits.length === 0) return NOTHING;
  const edits = change.edits.map(draftOf);
  if (!isOpen(StoredState.parse(change.state)))
    return (await readKept(db, change.number)) ?? { ...NOTHING, effects: await pastEffects(db, change, edits) };
  const { findings, effects, tests } = check(await loadCheckInput(db, edits));
  const slow = await readSlowChecks(db, change, asking.isActing === true);
  const all = [...findings, ...(await checkGateways(db, edits, asking.nowMs)), ...slow.findings];
  const { overrides, contentHash } = change;
  return {
    findings: await weigh(db, all, { edits, overrides, contentHash }),
    effects: [...effects],
    checks: [...FAST, ...slow.checks].toSorted(inOrder),
    tests: testsOf(edits, tests),
  };
}

/** The same for edits that are not stored: no slow check, no override. */
export async function checkEdits(db: Reader, edits: readonly DraftEdit[], asking: Asking): Promise<Verdict> {
  const { findings, effects, tests } = check(await loadCheckInput(db, edits));
  const all = [...findings, ...(await checkGateways(db, edits, asking.nowMs))];
  const weighed = await weigh(db, all, { edits, overrides: [], contentHash: '' });
  const verdict = { findings: weighed, effects: [...effects], checks: [...FAST], tests: testsOf(edits, tests) };
  return readable(db, verdict, asking);
}

/** Tests of the edited policies; those of others are told when they fail. */
function testsOf(edits: readonly DraftEdit[], tests: readonly PolicyTestResult[]): PolicyTestResult[] {
  const edited = new Set(edits.filter(({ kind }) => kind === 'policy').map(({ name }) => name));
  return tests.filter(({ policy }) => edited.has(policy));
}

async function readable(db: Reader, { findings, ...rest }: KeptVerdict, { actor }: Asking): Promise<Verdict> {
  return { ...rest, findings: [...readableBy(actor ?? NOBODY, findings, await readTenantTeams(db))] };
}

const done = (section: Section): ChangeDetail['checks'][number] => ({
  section,
  state: 'done',
  summary: '',
  progress: 0,
  parts: 0,
  atMs: null,
});
/** Sections that are judged at every look. */
const FAST = (['validity', 'compatibility', 'owners', 'gateways'] as const).map(done);
const ORDER: readonly Section[] = ['validity', 'compatibility', 'live data', 'traffic', 'cost', 'owners', 'gateways'];

function inOrder(a: { readonly section: Section }, b: { readonly section: Section }): number {
  return ORDER.indexOf(a.section) - ORDER.indexOf(b.section);
}

interface Weighing {
  readonly edits: readonly DraftEdit[];
  readonly overrides: StoredChange['overrides'];
  readonly contentHash: string;
}

async function weigh(
  db: Reader,
  findings: readonly StoredFinding[],
  { edits, overrides, contentHash }: Weighing,
): Promise<StoredFinding[]> {
  const owners = await readOwners(db, edits);
  const rules = await db.teamRule.findMany({
    where: { team: { in: [...new Set(owners.values())] } },
    select: { team: true, code: true, setting: true },
  });
  const settings = new Map(rules.map(({ team, code, setting }) => [`${team} ${code}`, RuleSetting.parse(setting)]));
  const weighed = applyRules(findings, {
    setting: (kind, name, code) => settings.get(`${owners.get(`${kind} ${name}`) ?? ''} ${code}`),
    override: (kind, name, code) => {
      const found = overrides.find(
        (one) => one.kind === kind && one.name === name && one.code === code && one.contentHash === contentHash,
      );
      return found === undefined ? undefined : { name: found.byName, reason: found.reason };
    },
  });
  return weighed.toSorted(bySeverity);
}

/** The team whose rules hold for each edit: the one that owns it now, so that no change lightens its own check. */
async function readOwners(db: Reader, edits: readonly DraftEdit[]): Promise<ReadonlyMap<string, string>> {
  const published = await loadPublished(db);
  const now = new Map(published.map(({ kind, name, document }) => [`${kind} ${name}`, document.ownerTeam as string]));
  const owned = z.object({ ownerTeam: z.string() });
  return new Map(
    edits.map(({ kind, name, document }): [string, string] => {
      const key = `${kind} ${name}`;
      return [key, now.get(key) ?? owned.safeParse(document).data?.ownerTeam ?? ''];
    }),
  );
}

async function readTenantTeams(db: Reader): Promise<ReadonlyMap<string, string>> {
  const published = await loadPublished(db);
  return new Map(
    published.flatMap((one) => (one.kind === 'tenant' ? [[one.name as string, one.document.ownerTeam as string]] : [])),
  );
}

async function pastEffects(
  db: Reader,
  change: StoredChange,
  edits: readonly DraftEdit[],
): Promise<ChangeDetail['effects']> {
  const input = await loadCheckInput(db, edits);
  const edited = new Set(edits.map(({ kind, name }) => `${kind} ${name}`));
  const bases = change.edits.flatMap((edit) => (edit.base === null ? [] : [{ ...draftOf(edit), document: edit.base }]));
  const others = input.published.filter(({ kind, name }) => !edited.has(`${kind} ${name}`));
  const before = check({ ...input, published: others, edits: bases }).definitions;
  return [...check({ ...input, published: before }).effects];
}
