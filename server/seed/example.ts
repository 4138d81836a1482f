import { Definition } from '#gateway/contract/definitions/definition.ts';
import { STANDING_POLICY, STANDING_POLICY_CEDAR } from '#gateway/contract/policy-model.ts';
import type { Role } from '#server/contract/people.ts';

/** A demo user of the embedded default. */
export interface ExamplePerson {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly roles: readonly Role[];
  readonly team: string;
}

export const EXAMPLE_TEAMS = [
  { name: 'chat', displayName: 'Chat team' },
  { name: 'platform', displayName: 'Platform team' },
] as const;

export const EXAMPLE_PEOPLE: readonly ExamplePerson[] = [
  { id: 'ana', name: 'Ana Ruiz', about: 'Engineer of team chat', roles: ['engineer'], team: 'chat' },
  { id: 'bo', name: 'Bo Lind', about: 'Engineer of team chat', roles: ['engineer'], team: 'chat' },
  { id: 'sam', name: 'Sam Lee', about: 'Security reviewer', roles: ['security'], team: 'platform' },
  { id: 'olga', name: 'Olga Ek', about: 'Operator', roles: ['operator'], team: 'platform' },
  { id: 'ada', name: 'Ada Moss', about: 'Admin', roles: ['admin'], team: 'platform' },
];

/** The service principal whose key lies in the demo-key file. */
export const EXAMPLE_PRINCIPAL = 'chat-api';

const audit = { reads: 'none', writes: 'all' } as const;

const objectType = (name: string, description: string, maxBytes: number) => ({
  kind: 'objectType',
  name,
  document: { ownerTeam: 'chat', description, classification: 'internal', maxBytes, audit },
});

const edgeType = (
  name: string,
  description: string,
  ends: { readonly from: string; readonly to: string; readonly inverse?: string },
) => ({
  kind: 'edgeType',
  name,
  document: {
    ownerTeam: 'chat',
    description,
    ...ends,
    cardinality: 'many',
    listCap: 1_000,
    maxEdges: 1_000_000,
    dataMaxBytes: 1_024,
    audit,
  },
});

/** A small product that a newcomer can read: people talk in conversations. */
export const EXAMPLE_DEFINITIONS: readonly Definition[] = [
  objectType('User', 'A person who talks in conversations.', 16_384),
  objectType('Conversation', 'A place where people exchange messages.', 16_384),
  objectType('Message', 'One message in a conversation.', 65_536),
  edgeType('messages', 'The messages of a conversation, newest first.', {
    from: 'Conversation',
    to: 'Message',
    inverse: 'inConversation',
  }),
  edgeType('inConversation', 'The conversation that a message is in.', { from: 'Message', to: 'Conversation' }),
  edgeType('members', 'The people in a conversation.', { from: 'Conversation', to: 'User', inverse: 'memberOf' }),
  edgeType('memberOf', 'The conversations that a person is in.', { from: 'User', to: 'Conversation' }),
  {
    kind: 'policy',
    name: STANDING_POLICY,
    document: {
      ownerTeam: 'platform',
      description: 'Services may use the types of the team that owns their tenant, unless confidential or restricted.',
      cedar: STANDING_POLICY_CEDAR,
    },
  },
  {
    kind: 'tenant',
    name: 'chat',
    document: {
      ownerTeam: 'chat',
      displayName: 'Chat',
      contact: 'chat@example.com',
      targetP99Ms: 50,
      quotas: { readsPerSecond: 500, writesPerSecond: 200, ruPerSecond: 10_000, inFlight: 200 },
      mode: 'enforce',
    },
  },
  {
    kind: 'principal',
    name: EXAMPLE_PRINCIPAL,
    document: {
      ownerTeam: 'chat',
      description: "The chat product's server.",
      tenant: 'chat',
      actorKind: 'service',
      groups: ['backend'],
      disabled: false,
    },
  },
].map((definition) => Definition.parse(definition));
