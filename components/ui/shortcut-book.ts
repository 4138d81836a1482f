/** A key or a sequence and what it does. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export interface Shortcut {
  /** `n`, `g h`, `mod+k`, `mod+enter`, `?`. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  /** Heading in the help; `This page` unless said otherwise. */
  readonly group?: 'Everywhere' | 'Go to' | 'This page' | undefined;
}

/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1200;
const NONE: readonly Shortcut[] = [];

/** The keys that work now, in order of registration. */
export class ShortcutBook {
  #pages: readonly (readonly Shortcut[])[] = [];
  #flat: readonly Shortcut[] = NONE;
  #waiting: { readonly key: string; readonly atMs: number } | undefined;
  readonly #listeners = new Set<() => void>();

  /** Adds a part's keys; call the result to take them out again. */
  add(shortcuts: readonly Shortcut[]): () => void {
    this.#set([...this.#pages, shortcuts]);
    return () => this.#set(this.#pages.filter((page) => page !== shortcuts));
  }

  /** What a key press means: a shortcut, or nothing yet. */
  press(key: string, atMs: number): Shortcut | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined && atMs - waiting.atMs <= SEQUENCE_MS) {
      const sequence = this.#find(`${waiting.key} ${key}`);
      if (sequence !== undefined) return sequence;
    }
    if (this.#flat.some(({ keys }) => keys.startsWith(`${key} `))) this.#waiting = { key, atMs };
    return this.#find(key);
  }

  readonly list = (): readonly Shortcut[] => this.#flat;

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  };

  #find(keys: string): Shortcut | undefined {
    return this.#flat.findLast((shortcut) => shortcut.keys === keys);
  }

  #set(pages: readonly (readonly Shortcut[])[]): void {
    this.#pages = pages;
    this.#flat = pages.flat();
    for (const listener of this.#listeners) listener();
  }
}

/** The name of a pressed key as shortcuts are written. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey'>): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  return event.metaKey || event.ctrlKey ? `mod+${key}` : key;
}
