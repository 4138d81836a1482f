import type { ACTOR_KINDS } from '#gateway/contract/definitions/principal.ts';

interface ActorWords {
  readonly article: 'A' | 'An';
  readonly noun: string;
  readonly about: string;
}

/** Actor kinds as pages write them. */
export const ACTOR_WORDS: Readonly<Record<(typeof ACTOR_KINDS)[number], ActorWords>> = {
  service: { article: 'A', noun: 'service principal', about: 'A program of the tenant.' },
  user: { article: 'A', noun: 'user principal', about: 'A person, through a program of the tenant.' },
  agent: {
    article: 'An',
    noun: 'agent',
    about: 'A program that decides by itself. It gets only what a policy grants to agents by name.',
  },
  operator: { article: 'An', noun: 'operator principal', about: 'A tool of those who run Habitat.' },
};
