import type { Action, Entry, ObjectHistory, Outcome } from './history.ts';

/** A history as a table: one line an operation, in the order of the calls. */
export function printHistory({ object, home, entries }: ObjectHistory): string {
  const lines = [...entries].sort((a, b) => a.calledAt - b.calledAt).map(lineOf);
  const through = home === null ? '' : ` through ${home} alone`;
  return [
    `history of ${object}${through}; each line: operation, client, [call, end], what was asked, what came`,
    ...lines,
  ].join('\n');
}

function lineOf(entry: Entry): string {
  const { id, client, calledAt, endedAt, process, tries, key, consistency, carries, action, outcome } = entry;
  const how = [
    consistency,
    carries ? 'session carried' : '',
    key === null ? '' : `key ${key}`,
    tries > 1 ? `${tries} tries` : '',
  ];
  const notes = how.filter((note) => note !== '').join(', ');
  return `#${id} c${client} [${calledAt}, ${endedAt}] ${wordsOf(action)} → ${resultOf(outcome)}   (${process}; ${notes})`;
}

function wordsOf(action: Action): string {
  if (action.op === 'commit') return `commit {${action.parts.map(wordsOf).join('; ')}}`;
  const { op, ...rest } = action;
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`,
  );
  return [op, ...fields].join(' ');
}

function resultOf(outcome: Outcome): string {
  if (outcome.kind === 'refused') return `refused ${outcome.code}`;
  if (outcome.kind === 'unknown') return `unknown (${outcome.why})`;
  const { version, created, deleted, object, edges, count, parts } = outcome.reply;
  if (parts !== undefined) return parts.map((reply) => resultOf({ kind: 'done', reply })).join('; ');
  if (count !== undefined) return `count ${count}`;
  if (object !== undefined) return object === null ? 'not there' : `${object.mark} at ${object.version}`;
  if (edges !== undefined) return `[${edges.map(({ to, mark, version: at }) => `${to}=${mark}@${at}`).join(' ')}]`;
  if (deleted !== undefined) return deleted ? 'deleted' : 'nothing to delete';
  return `${created === true ? 'created' : 'replaced'} at ${version}`;
}
