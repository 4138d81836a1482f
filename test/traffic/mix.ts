/** One request of the mix. `operation` is the name under which charts show it. */
export interface Shot {
  readonly operation: string;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** Every id that this load writes begins so: nobody takes it for real data. */
const LABEL = 'sample';
const CONVERSATIONS = 20;
const MESSAGES = 400;
const USERS = 50;

type Make = (pick: (below: number) => number) => Omit<Shot, 'operation'>;

const conversation = (n: number) => `/v1/chat/objects/Conversation/${LABEL}-${n}`;
const message = (n: number) => `/v1/chat/objects/Message/${LABEL}-${n}`;
const user = (n: number) => `/v1/chat/objects/User/${LABEL}-${n}`;

/** What a chat does, mostly reading: parts of a hundred, operation, request. */
const MIX: readonly (readonly [number, string, Make])[] = [
  [30, 'object.get', (pick) => ({ method: 'GET', path: message(pick(MESSAGES)) })],
  [8, 'object.get', (pick) => ({ method: 'GET', path: user(pick(USERS)) })],
  [
    22,
    'edge.list',
    (pick) => ({ method: 'GET', path: `${conversation(pick(CONVERSATIONS))}/edges/messages?limit=20` }),
  ],
  [8, 'edge.count', (pick) => ({ method: 'GET', path: `${conversation(pick(CONVERSATIONS))}/edges/members:count` })],
  [
    7,
    'edge.get',
    (pick) => ({ method: 'GET', path: `${conversation(pick(CONVERSATIONS))}/edges/members/${LABEL}-${pick(USERS)}` }),
  ],
  [11, 'object.put', (pick) => ({ method: 'PUT', path: message(pick(MESSAGES)), body: text(pick) })],
  [
    9,
    'edge.put',
    (pick) => ({
      method: 'PUT',
      path: `${conversation(pick(CONVERSATIONS))}/edges/messages/${LABEL}-${pick(MESSAGES)}`,
      body: '{}',
    }),
  ],
  [
    3,
    'edge.put',
    (pick) => ({
      method: 'PUT',
      path: `${conversation(pick(CONVERSATIONS))}/edges/members/${LABEL}-${pick(USERS)}`,
      body: '{}',
    }),
  ],
  [
    2,
    'edge.delete',
    (pick) => ({
      method: 'DELETE',
      path: `${conversation(pick(CONVERSATIONS))}/edges/messages/${LABEL}-${pick(MESSAGES)}`,
    }),
  ],
];

/** What must be there before the mix reads it. */
export function preparation(): readonly Shot[] {
  const put = (path: string) => ({ operation: 'object.put', method: 'PUT' as const, path, body: '{"sample":true}' });
  return [
    ...Array.from({ length: CONVERSATIONS }, (_, n) => put(conversation(n))),
    ...Array.from({ length: USERS }, (_, n) => put(user(n))),
  ];
}

/** The next request. `random` is 0 ≤ value < 1. */
export function nextShot(random: () => number): Shot {
  const pick = (below: number) => Math.floor(random() * below);
  let left = random() * MIX.reduce((sum, [parts]) => sum + parts, 0);
  for (const [parts, operation, make] of MIX) {
    left -= parts;
    if (left < 0) return { operation, ...make(pick) };
  }
  return { operation: 'object.get', method: 'GET', path: message(0) };
}

/** A message of some length; few are long, as in life. */
function text(pick: (below: number) => number): string {
  const words = 5 + pick(40) * (pick(10) === 0 ? 10 : 1);
  return JSON.stringify({ sample: true, text: 'habitat '.repeat(words).trim() });
}
