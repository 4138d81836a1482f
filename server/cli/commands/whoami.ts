import { apiOf, type Outcome, type Run } from '#server/cli/command.ts';
import { EXIT } from '#server/cli/exit.ts';
import { Me } from '#server/contract/people.ts';

/** Says who the token acts for, with the rights of this moment, and until when. */
export async function whoami(run: Run): Promise<Outcome> {
  const api = apiOf(run);
  const me = await api.get('/api/me', Me);
  for (const sentence of whoIs(api.url, me)) run.say(sentence);
  const { id, name, roles, teams, token } = me;
  return { exit: EXIT.done, result: { url: api.url, id, name, roles, teams, token: token ?? null } };
}

/** The same in sentences. */
export function whoIs(url: string, { name, roles, teams, token }: Me): readonly string[] {
  const rights = `${listed(roles, 'no role')}; ${teams.length === 0 ? 'in no team' : `in team ${teams.join(', ')}`}`;
  if (token === undefined) return [`${name} at ${url} (${rights}).`];
  const ends = new Date(token.expiresAtMs).toISOString().slice(0, 10);
  return [`${name} at ${url} (${rights}).`, `Token ${token.name}: ${token.scopes.join(', ')}; until ${ends}.`];
}

function listed(words: readonly string[], none: string): string {
  return words.length === 0 ? none : words.join(', ');
}
