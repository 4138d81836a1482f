import type { Person } from '#server/contract/people.ts';

/** People whose `@name` or `@id` stands in a text, each once. Of two names that both fit, the longer one is meant. */
export function mentionedIn(text: string, people: readonly Person[]): readonly Person[] {
  const byLength = people
    .flatMap((person) => [person.name, person.id].map((words) => ({ person, words: words.toLowerCase() })))
    .toSorted((a, b) => b.words.length - a.words.length);
  const found = new Map<string, Person>();
  for (const [index, part] of text.toLowerCase().split('@').entries()) {
    if (index === 0) continue;
    const meant = byLength.find(
      ({ words }) => part.startsWith(words) && !/[\p{L}\p{N}]/u.test(part.charAt(words.length)),
    );
    if (meant !== undefined) found.set(meant.person.id, meant.person);
  }
  return [...found.values()];
}
