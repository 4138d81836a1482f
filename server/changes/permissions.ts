import 'server-only';
import { canWriteChanges, hasAnyRole } from '#server/auth/rights.ts';
import { listInWords } from '#server/compile/words.ts';
import type { Ctx } from '#server/context.ts';
import type { ChangeDetail, Finding, Possible } from '#server/contract/changes.ts';
import type { Person } from '#server/contract/people.ts';
import { isOpen } from './change-states.ts';
import { mayAnswer, mayEdit, type Reviewers, type Standing, type StandingNeed } from './standing.ts';

type Actor = Ctx['actor'];

/** A permission with the code by which the verb refuses. */
export interface Verdict extends Possible {
  readonly code: 'wrong_state' | 'not_permitted' | 'blocked_by_findings' | null;
}

/** What `actor` may do with a change, and for each act it may not, why and who can. The verbs refuse by the same words. */
export function permissionsOf(
  standing: Standing,
  actor: Actor,
  facts: { readonly reviewers: Reviewers; readonly findings: readonly Finding[]; readonly isQueued: boolean },
): ChangeDetail['may'] {
  const edit = mayEditNow(standing, actor, facts.reviewers);
  return {
    edit: shown(edit),
    submit: shown(maySubmit(standing, edit, facts.findings)),
    approve: shown(mayApprove(standing, actor)),
    publish: shown(mayPublish(standing, actor, facts.findings)),
    abandon: shown(mayAbandon(standing, actor)),
    comment: shown(mayComment(standing, actor)),
    override: shown(mayOverride(standing, actor)),
    ...(facts.isQueued ? { unqueue: shown(mayUnqueue(standing, actor, facts.isQueued)) } : {}),
  };
}

export function mayEditNow(standing: Standing, actor: Actor, reviewers: Reviewers): Verdict {
  if (!isOpen(standing.state)) return no('wrong_state', `It is ${standing.state}, so it stays as it is.`);
  if (mayEdit(standing, actor, reviewers)) return yes;
  return no('not_permitted', `${standing.author.name} and their team edit this change.`);
}

export function maySubmit(standing: Standing, edit: Verdict, findings: readonly Finding[]): Verdict {
  if (standing.state !== 'draft' && standing.state !== 'needs work') {
    return no('wrong_state', `It is ${standing.state}; only a draft is sent to review.`);
  }
  if (!edit.may) return edit;
  if (standing.change.edits.length === 0) return no('wrong_state', 'It has no edits yet.');
  return unblocked(findings);
}

/** Approving and asking for work are one right. */
export function mayApprove(standing: Standing, actor: Actor): Verdict {
  if (standing.state !== 'in review') return no('wrong_state', `It is ${standing.state}, not in review.`);
  const open = standing.needs.filter(({ given }) => !given);
  if (open.some((need) => mayAnswer(need, actor))) return yes;
  const who = open.map(needInWords).join('; ');
  const why = standing.writers.has(actor.id) ? 'You wrote this change, so someone else approves it' : 'It waits for';
  return no('not_permitted', `${why}${standing.writers.has(actor.id) ? ':' : ''} ${who === '' ? 'nobody' : who}.`);
}

export function mayPublish(standing: Standing, actor: Actor, findings: readonly Finding[]): Verdict {
  if (standing.state !== 'approved')
    return no('wrong_state', `It is ${standing.state}; only an approved change is published.`);
  if (!isPublisher(standing, actor))
    return no('not_permitted', `${namesOf(publishersOf(standing))} or an admin publishes it.`);
  return unblocked(findings);
}

/** Whoever may publish it may also have it wait no longer. */
export function mayUnqueue(standing: Standing, actor: Actor, isQueued: boolean): Verdict {
  if (!isQueued) return no('wrong_state', 'It does not wait in the queue of publishes.');
  if (isPublisher(standing, actor)) return yes;
  return no('not_permitted', `${namesOf(publishersOf(standing))} or an admin takes it out of the queue.`);
}

function isPublisher(standing: Standing, actor: Actor): boolean {
  return publishersOf(standing).some(({ id }) => id === actor.id) || hasAnyRole(actor, 'admin');
}

export function mayAbandon(standing: Standing, actor: Actor): Verdict {
  if (!isOpen(standing.state)) return no('wrong_state', `It is ${standing.state}.`);
  if (actor.id === standing.author.id || hasAnyRole(actor, 'admin')) return yes;
  return no('not_permitted', `${standing.author.name} or an admin abandons it.`);
}

/** Whoever writes changes may talk about one. */
export function mayComment(standing: Standing, actor: Actor): Verdict {
  if (!isOpen(standing.state)) return no('wrong_state', `It is ${standing.state}, so nobody needs to say more.`);
  if (canWriteChanges(actor)) return yes;
  return no('not_permitted', 'Remarks are made by engineers, security, operators and admins.');
}

/** An admin who wrote none of it takes a finding on themselves. */
export function mayOverride(standing: Standing, actor: Actor): Verdict {
  if (!isOpen(standing.state)) return no('wrong_state', `It is ${standing.state}.`);
  if (!hasAnyRole(actor, 'admin')) return no('not_permitted', 'An admin may override it, with a reason.');
  if (!standing.writers.has(actor.id)) return yes;
  return no('not_permitted', 'You wrote this change, so another admin overrides it.');
}

/** The author and whoever approved it. */
export function publishersOf({ author, approvers }: Standing): readonly Person[] {
  return [author, ...approvers.filter(({ id }) => id !== author.id)];
}

/** *team chat (Bo Lind or Kim)*. */
export function needInWords({ from, who }: StandingNeed): string {
  if (who.length === 0) return `${from} (nobody holds that right; an admin gives it in Settings)`;
  return `${from} (${namesOf(who)})`;
}

/** How many findings block a change, and the first of them; null when none does. */
export function blockedWords(findings: readonly Finding[]): string | null {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  if (first === undefined) return null;
  const count = errors.length === 1 ? 'A finding blocks it' : `${errors.length} findings block it`;
  return `${count}: ${first.name}: ${first.message}`;
}

export function namesOf(people: readonly Person[]): string {
  const names = [...new Map(people.map(({ id, name }) => [id, name])).values()];
  return listInWords(names, 4, 'or');
}

const yes: Verdict = { may: true, why: '', code: null };

function no(code: Verdict['code'], why: string): Verdict {
  return { may: false, why, code };
}

function shown({ may, why }: Verdict): Possible {
  return { may, why };
}

function unblocked(findings: readonly Finding[]): Verdict {
  const why = blockedWords(findings);
  return why === null ? yes : no('blocked_by_findings', why);
}
