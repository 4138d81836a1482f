import { type Client, createClient, type Edge, type Ref } from 'habitat-client';
import { type Habitat, habitat } from './habitat.ts';

export type Board = ReturnType<typeof createBoard>;
type Member = Ref<'Member'>;

export interface ShownNote {
  readonly id: string;
  readonly text: string;
  /** Name of who wrote it. */
  readonly by: string;
  readonly time: number;
}

/** People whose notes one page looks at, and notes of each. */
const MOST_FOLLOWED = 20;
const NOTES_EACH = 5;

/** The client of the whole process: reads that a page makes side by side leave as one request. */
export function connect(env: NodeJS.ProcessEnv): Client<Habitat> {
  const { HABITAT_URLS = 'http://127.0.0.1:4000', HABITAT_TENANT = 'chat', HABITAT_KEY = '' } = env;
  return createClient({
    types: habitat,
    endpoints: HABITAT_URLS.split(','),
    tenant: HABITAT_TENANT,
    key: HABITAT_KEY,
    deadlineMs: Number(env.HABITAT_DEADLINE_MS ?? 5_000),
    batchReads: true,
  });
}

/** A note board over one client, or over a view of it that counts. */
export function createBoard(client: Client<Habitat>) {
  const member = (id: string): Member => client.ref('Member', id);

  async function signUp(id: string, name: string): Promise<'new' | 'taken'> {
    const written = await client.objects.put(member(id), { json: { name } }, { ifAbsent: true });
    return written.conflict === null ? 'new' : 'taken';
  }

  /** `formId` names the form that was sent: sent twice, it is one note. */
  async function write(by: string, text: string, formId: string): Promise<string> {
    const note = await client.objects.create('Note', { json: { text, by } }, { idempotencyKey: `${formId}/note` });
    const edge = { from: member(by), type: 'notes', to: note.ref } as const;
    await client.edges.put(edge, { idempotencyKey: `${formId}/edge` });
    return note.ref.id;
  }

  async function follow(who: string, whom: string): Promise<void> {
    await client.edges.put({ from: member(who), type: 'follows', to: member(whom) });
  }

  async function notesOf(id: string, cursor?: string): Promise<{ notes: ShownNote[]; cursor: string | null }> {
    const page = await client.edges.list({ from: member(id), type: 'notes' }, { limit: 20, cursor });
    return { notes: await show(page.edges), cursor: page.cursor };
  }

  /** The newest notes of those whom a member follows: three rounds, however many they are. */
  async function feed(id: string): Promise<ShownNote[]> {
    const followed: Member[] = [];
    for await (const { to } of client.edges.iterate({ from: member(id), type: 'follows' }, { atMost: MOST_FOLLOWED })) {
      followed.push(to);
    }
    const lists = await Promise.all(
      followed.map((from) => client.edges.list({ from, type: 'notes' }, { limit: NOTES_EACH })),
    );
    const edges = lists.flatMap((list) => list.edges);
    return show(edges.toSorted((a, b) => b.time - a.time));
  }

  /** Reads of the notes and of who wrote them leave together; a member who is met twice is asked for once. */
  async function show(edges: readonly Edge<'Note'>[]): Promise<ShownNote[]> {
    const found = await Promise.all(edges.map(({ to }) => client.objects.get(to)));
    const notes = found.map((note) => note?.json());
    const authors = await Promise.all(
      notes.map((note) => (note === undefined ? null : client.objects.get(member(note.by)))),
    );
    return edges.flatMap(({ to, time }, index) => {
      const note = notes[index];
      // Deleted since the list was read.
      if (note === undefined) return [];
      return [{ id: to.id, text: note.text, by: authors[index]?.json().name ?? note.by, time }];
    });
  }

  return { signUp, write, follow, notesOf, feed };
}

/** What the feed is going to cost, before anything is asked. */
export function planOfFeed(client: Client<Habitat>): string {
  const plan = client.plan([
    { list: 'follows', fanOut: MOST_FOLLOWED },
    { list: 'notes', fanOut: NOTES_EACH },
    { read: 'Note', sizeBytes: 200 },
  ]);
  return String(plan);
}
