import { type Board, createBoard } from './board.ts';
import type { Step } from './step.ts';

export type Verdict = (
  | { readonly kind: 'explained'; readonly order: readonly number[] }
  /** No order explains the outcomes. The longest one that does so for a part, and the steps that should come next. */
  | { readonly kind: 'impossible'; readonly order: readonly number[]; readonly stuck: readonly number[] }
  /** The search was given up. */
  | { readonly kind: 'undecided' }
) & {
  /** How many states were looked at. */
  readonly states: number;
};

export interface SearchOptions<S> {
  readonly initial: S;
  /** Equal for states that no step tells apart. */
  readonly keyOf: (state: S) => string;
  /** Most states to look at. */
  readonly budget: number;
}

/**
 * Looks for one order of the steps that explains all outcomes and respects what came before what: Wing and Gong's search
 * with Lowe's memory of what was tried (G. Lowe, Testing for linearizability, 2017), over a partial order in place of
 * intervals. Two rules keep it small, and neither loses an explanation:
 *
 * - A read that fits is taken at once: it changes nothing, and whatever may follow it later may follow it now.
 * - Optional steps are guesses, and each is made for the next sure step: that step would not fit without it, or the two
 *   do not commute. Any other guess can be dropped or made after that step, which ends at an order without such guesses.
 *
 * Few guesses in a row explain nearly all histories, so one is tried first, then two, until no order needed more.
 */
export function search<S>(steps: readonly Step<S>[], options: SearchOptions<S>): Verdict {
  let states = 0;
  for (let mostGuesses = 1; ; mostGuesses += 1) {
    const round = createRound(steps, { ...options, budget: options.budget - states, mostGuesses });
    const isExplained = round.go(options.initial, []);
    states += round.states();
    if (isExplained) return { kind: 'explained', order: round.board.taken(), states };
    if (states >= options.budget) return { kind: 'undecided', states };
    if (!round.wasCut()) return { kind: 'impossible', ...round.best(), states };
  }
}

/** Optional steps since the last sure one, each with the state that it met. */
type Guesses<S> = readonly { readonly step: Step<S>; readonly met: S }[];

function createRound<S>(steps: readonly Step<S>[], options: SearchOptions<S> & { readonly mostGuesses: number }) {
  const { keyOf, budget, mostGuesses } = options;
  const board = createBoard(steps);
  const tried = new Map<string, Uint8Array[]>();
  const isSame = (a: S | null, b: S) => a !== null && (a === b || keyOf(a) === keyOf(b));
  let best: { order: readonly number[]; stuck: readonly number[] } = { order: [], stuck: [] };
  let states = 0;
  let isCut = false;

  function go(state: S, guesses: Guesses<S>): boolean {
    const isWorthIt = (read: Step<S>) => !isOneIdle(guesses, read, state, isSame);
    const found = takeReads(steps, board, state, isWorthIt);
    if (found === 'idle') return false;
    if (board.isComplete()) return true;
    const made = found === 'some' ? [] : guesses;
    if (states >= budget || (made.length === 0 && !isNew(state))) return false;
    states += 1;
    if (board.taken().length >= best.order.length) best = { order: [...board.taken()], stuck: stuckOf(steps, board) };
    return nextOf(steps, board.openWrites()).some((index) => tryStep(state, index, made));
  }

  /** Whether no state like it was tried with as many reads taken and as many optional steps left. */
  function isNew(state: S): boolean {
    const key = `${board.key()} ${keyOf(state)}`;
    const debts = board.debts();
    const known = tried.get(key) ?? [];
    if (known.some((fewer) => fewer.every((debt, index) => debt <= (debts[index] ?? 0)))) return false;
    tried.set(key, [...known, debts]);
    return true;
  }

  function tryStep(state: S, index: number, guesses: Guesses<S>): boolean {
    const step = steps[index];
    const next = step?.apply(state) ?? null;
    if (step === undefined || next === null) return false;
    const made = step.optional !== null ? withGuess({ step, met: state }, next, guesses) : [];
    if (made === null || (step.optional === null && isOneIdle(guesses, step, state, isSame))) return false;
    const mark = board.taken().length;
    board.take(index);
    if (go(next, made)) return true;
    board.backTo(mark);
    return false;
  }

  /** Null when it changes nothing, undoes the guess before it, or is one of two that commute in the other order. */
  function withGuess(guess: Guesses<S>[number], next: S, guesses: Guesses<S>): Guesses<S> | null {
    if (isSame(next, guess.met)) return null;
    const last = guesses.at(-1);
    const without = last === undefined ? null : guess.step.apply(last.met);
    if (last !== undefined && without !== null) {
      if (isSame(without, next)) return null;
      if (isBefore(guess.step, last.step) && isSame(last.step.apply(without), next)) return null;
    }
    if (guesses.length < mostGuesses) return [...guesses, guess];
    isCut = true;
    return null;
  }

  return { go, board, states: () => states, best: () => best, wasCut: () => isCut };
}

/** Whether one of the guesses could be left out, or be made after the sure step that follows them. */
function isOneIdle<S>(guesses: Guesses<S>, sure: Step<S>, state: S, isSame: (a: S | null, b: S) => boolean): boolean {
  const end = guesses.length === 0 ? null : sure.apply(state);
  if (end === null) return false;
  const [first] = guesses;
  return guesses.some((left) => {
    const others = guesses.filter((guess) => guess !== left).map(({ step }) => step);
    const without = [...others, sure].reduce<S | null>(applyNext, first?.met ?? null);
    return isSame(without, end) || isSame(applyNext(without, left.step), end);
  });
}

/** An order of all kinds of optional steps; any would do. */
function isBefore<S>(a: Step<S>, b: Step<S>): boolean {
  return (a.optional ?? '') < (b.optional ?? '');
}

function applyNext<S>(state: S | null, step: Step<S>): S | null {
  return state === null ? null : step.apply(state);
}

/** Takes every open read that fits, until no further one does. `idle`: the first one makes no sense after the guesses. */
function takeReads<S>(
  steps: readonly Step<S>[],
  board: Board,
  state: S,
  isWorthIt: (read: Step<S>) => boolean,
): 'none' | 'some' | 'idle' {
  let found: 'none' | 'some' = 'none';
  for (let isOver = false; !isOver; ) {
    isOver = true;
    for (const index of board.openReads()) {
      const step = steps[index];
      if (step === undefined || step.apply(state) === null) continue;
      if (found === 'none' && !isWorthIt(step)) return 'idle';
      board.take(index);
      found = 'some';
      isOver = false;
    }
  }
  return found;
}

/** Writes worth trying next, those that certainly happened first, and one of each kind of twins. */
function nextOf<S>(steps: readonly Step<S>[], open: readonly number[]): number[] {
  const sure: number[] = [];
  const maybe = new Map<string, number>();
  for (const index of open) {
    const step = steps[index];
    const twin = step?.optional ?? null;
    if (twin === null) sure.push(index);
    else if (!maybe.has(twin)) maybe.set(twin, index);
  }
  return [...sure, ...maybe.values()];
}

/** The sure steps that are open and were not taken. */
function stuckOf<S>(steps: readonly Step<S>[], board: Board): number[] {
  return [...board.openReads(), ...board.openWrites()].filter((index) => steps[index]?.optional === null);
}
