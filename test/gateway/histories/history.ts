/** What a client asked of one object. A `mark` is unique in a run: it names the put that left what a read shows. */
export type Action =
  | { readonly op: 'object.put'; readonly mark: string; readonly ifMatch?: string; readonly ifAbsent?: true }
  | { readonly op: 'object.delete'; readonly ifMatch?: string }
  | { readonly op: 'object.get' }
  | {
      readonly op: 'edge.put';
      readonly type: string;
      readonly to: string;
      readonly mark: string;
      readonly timeMs: number;
      /** Sent as a write of the inverse type, from the target's side. */
      readonly fromTarget?: true;
    }
  | { readonly op: 'edge.delete'; readonly type: string; readonly to: string; readonly fromTarget?: true }
  | { readonly op: 'edge.changeType'; readonly type: string; readonly to: string; readonly into: string }
  /** All or nothing, each part at another item. */
  | { readonly op: 'commit'; readonly parts: readonly CommitPart[] }
  /** Of the object at the other end: every mirrored edge to it goes, each at a moment of its own. */
  | { readonly op: 'target.delete'; readonly to: string }
  | { readonly op: 'edge.get'; readonly type: string; readonly to: readonly string[] }
  | { readonly op: 'edge.count'; readonly type: string }
  | { readonly op: 'edge.list'; readonly type: string };

export type CommitPart = Extract<Action, { readonly op: 'object.put' | 'edge.put' | 'edge.delete' }>;

/** What an action does, one after another: the parts of a commit, else the action itself. */
export function partsOf(action: Action): readonly Exclude<Action, { readonly op: 'commit' }>[] {
  return action.op === 'commit' ? action.parts : [action];
}

export type Consistency = 'critical' | 'session' | 'eventual';

/** An object's content, or an edge, as a read showed it. */
export interface Seen {
  readonly mark: string;
  readonly version: string;
}

export interface SeenEdge extends Seen {
  readonly to: string;
  readonly timeMs: number;
}

/** What the reply said; which fields are there follows from the operation. */
export interface Reply {
  readonly version?: string;
  readonly created?: boolean;
  readonly deleted?: boolean;
  /** edge.changeType: its new type had an edge to the same target. */
  readonly replaced?: boolean;
  /** object.get; null when nothing was there. */
  readonly object?: Seen | null;
  /** edge.get and edge.list, in the order of the reply. */
  readonly edges?: readonly SeenEdge[];
  readonly count?: number;
  /** commit: what each of its parts would have replied. */
  readonly parts?: readonly Reply[];
}

export type Outcome =
  | { readonly kind: 'done'; readonly reply: Reply }
  /** Certainly without effect. */
  | { readonly kind: 'refused'; readonly code: string; readonly says?: string }
  /** It may have taken effect, may yet, or never will. */
  | { readonly kind: 'unknown'; readonly why: string };

/** One operation of one client, with all its tries under one key. */
export interface Entry {
  readonly id: number;
  readonly client: number;
  readonly object: string;
  readonly action: Action;
  readonly consistency: Consistency;
  readonly key: string | null;
  /** The client carried the `Habitat-Session` of its earlier replies. */
  readonly carries: boolean;
  /** Places in the one order of all calls and ends of a run; a call comes before whatever happens because of it. */
  readonly calledAt: number;
  readonly endedAt: number;
  /** Which process answered last: the gateway's name and how often it was started. */
  readonly process: string;
  readonly tries: number;
  readonly outcome: Outcome;
}

const READS: readonly Action['op'][] = ['object.get', 'edge.get', 'edge.count', 'edge.list'];

export function isWrite({ op }: Action): boolean {
  return !READS.includes(op);
}

/** The edge types that an action reads or writes. */
export function typesOf(action: Action): readonly string[] {
  if (action.op === 'commit') return [...new Set(action.parts.flatMap(typesOf))];
  if (!('type' in action)) return [];
  return 'into' in action ? [action.type, action.into] : [action.type];
}

/** What is known of an edge type that decides what its writes do. */
export interface EdgeShape {
  readonly cardinality: 'many' | 'one';
  readonly maxEdges: number;
}

/** A run's history of one object. */
export interface ObjectHistory {
  readonly object: string;
  readonly edgeTypes: Readonly<Record<string, EdgeShape>>;
  /** Every operation went through this gateway, so that its session reads need no token to be current; else null. */
  readonly home: string | null;
  /** What a run puts before a name to make an id of it. */
  readonly prefix: string;
  readonly entries: readonly Entry[];
}
