/** One operation as the search sees it. */
export interface Step<S> {
  /** The state after it; null when it cannot have had its outcome in this state. A read returns the state that it got. */
  apply(state: S): S | null;
  readonly isRead: boolean;
  /** It may never have happened. */
  readonly isOptional: boolean;
  /** Optional steps that nobody could tell apart say the same; null when somebody could. */
  readonly twin: string | null;
  /** Indexes of the steps that come before it in every explanation. */
  readonly after: readonly number[];
}

export type Verdict =
  | { readonly kind: 'explained'; readonly order: readonly number[] }
  /** No order explains the outcomes. The longest one that does so for a part, and the steps that should come next. */
  | { readonly kind: 'impossible'; readonly order: readonly number[]; readonly stuck: readonly number[] }
  /** The search was given up. */
  | { readonly kind: 'undecided' };

export interface SearchOptions<S> {
  readonly initial: S;
  /** Equal for equal states. */
  readonly keyOf: (state: S) => string;
  /** Most states to look at. */
  readonly budget: number;
}

/**
 * Looks for one order of the steps that explains all outcomes and respects what came before what: Wing and Gong's search
 * with Lowe's memory of what was tried (G. Lowe, Testing for linearizability, 2017), over a partial order in place of
 * intervals. A read that fits is taken at once: it changes nothing, and whatever may follow it later may follow it now.
 */
export function search<S>(steps: readonly Step<S>[], options: SearchOptions<S>): Verdict {
  const board = createBoard(steps);
  const tried = new Set<string>();
  let best: { order: readonly number[]; stuck: readonly number[] } = { order: [], stuck: [] };
  let budget = options.budget;

  function go(state: S): boolean {
    board.takeReads(state);
    if (board.isComplete()) return true;
    const key = `${board.key()} ${options.keyOf(state)}`;
    if (tried.has(key) || budget <= 0) return false;
    tried.add(key);
    budget -= 1;
    const open = board.open();
    if (board.taken().length >= best.order.length) {
      best = { order: [...board.taken()], stuck: open.filter((index) => steps[index]?.isOptional === false) };
    }
    return nextOf(steps, open).some((index) => tryStep(state, index));
  }

  function tryStep(state: S, index: number): boolean {
    const step = steps[index];
    const next = step?.apply(state) ?? null;
    if (step === undefined || next === null || (step.isOptional && next === state)) return false;
    const mark = board.taken().length;
    board.take(index);
    if (go(next)) return true;
    board.backTo(mark);
    return false;
  }

  if (go(options.initial)) return { kind: 'explained', order: board.taken() };
  return budget <= 0 ? { kind: 'undecided' } : { kind: 'impossible', ...best };
}

/** Writes worth trying next, those that certainly happened first, and one of each kind of twins. */
function nextOf<S>(steps: readonly Step<S>[], open: readonly number[]): number[] {
  const sure: number[] = [];
  const maybe = new Map<string, number>();
  for (const index of open) {
    const step = steps[index];
    if (step === undefined || step.isRead) continue;
    if (!step.isOptional) sure.push(index);
    else {
      const twin = step.twin ?? String(index);
      if (!maybe.has(twin)) maybe.set(twin, index);
    }
  }
  return [...sure, ...maybe.values()];
}

/** Which steps were taken, and which may be taken next. */
function createBoard<S>(steps: readonly Step<S>[]) {
  const waits = Int32Array.from(steps, ({ after }) => after.length);
  const followers: number[][] = steps.map(() => []);
  for (const [index, { after }] of steps.entries()) for (const earlier of after) followers[earlier]?.push(index);
  const isTaken = new Uint8Array(steps.length);
  const order: number[] = [];
  let left = steps.filter(({ isOptional }) => !isOptional).length;

  const isOpen = (index: number) => isTaken[index] === 0 && waits[index] === 0;
  const shift = (index: number, by: 1 | -1) => {
    isTaken[index] = by === 1 ? 0 : 1;
    if (steps[index]?.isOptional === false) left += by;
    for (const follower of followers[index] ?? []) waits[follower] = (waits[follower] ?? 0) + by;
  };
  const board = {
    taken: (): readonly number[] => order,
    isComplete: () => left === 0,
    open: () => steps.map((_, index) => index).filter(isOpen),
    take(index: number) {
      shift(index, -1);
      order.push(index);
    },
    backTo(length: number) {
      for (const index of order.splice(length)) shift(index, 1);
    },
    /** Every open read that fits, until no further one does. */
    takeReads(state: S) {
      for (let found = true; found; ) {
        found = false;
        for (const [index, step] of steps.entries()) {
          if (!step.isRead || !isOpen(index) || step.apply(state) === null) continue;
          board.take(index);
          found = true;
        }
      }
    },
    key: () => Buffer.from(isTaken).toString('latin1'),
  };
  return board;
}
