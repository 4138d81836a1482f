'use client';

import { createContext, use, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';

interface Line {
  readonly key: number;
  readonly text: string;
  /** Where it is said; undefined: on the page itself. */
  readonly place: string | undefined;
}

export interface Said {
  readonly lines: readonly Line[];
  /** A modal that hides the page from screen readers says what there is to say while it is open. Returns how to leave. */
  readonly open: (place: string) => () => void;
}

const SaidContext = createContext<Said | undefined>(undefined);
/** A moment for a dialog that closes with the same act, and for focus, whose words would cut these off. */
const SOON_MS = 150;
const KEPT_MS = 8000;
/** More at once are not listened to. */
const MOST_LINES = 4;

/** Lines for screen readers: each is said once, soon, and gone from the page after 8 s. */
export function useSaid(): readonly [Said, (text: string) => void] {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const places = useRef<readonly string[]>([]);
  const made = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) clearTimeout(timer);
    };
  }, []);
  const say = useCallback((text: string) => {
    const later = (ms: number, run: () => void) => {
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        run();
      }, ms);
      timers.current.add(timer);
    };
    made.current += 1;
    const key = made.current;
    later(SOON_MS, () => {
      const place = places.current.at(-1);
      setLines((now) => [...now.slice(1 - MOST_LINES), { key, text, place }]);
      later(KEPT_MS, () => setLines((now) => now.filter((line) => line.key !== key)));
    });
  }, []);
  const open = useCallback((place: string) => {
    places.current = [...places.current, place];
    return () => {
      places.current = places.current.filter((other) => other !== place);
    };
  }, []);
  return [useMemo(() => ({ lines, open }), [lines, open]), say];
}

/** The live region of the page itself, below everything that speaks. */
export function SaidOnPage({ said, children }: { readonly said: Said; readonly children: React.ReactNode }) {
  return (
    <SaidContext value={said}>
      {children}
      <Lines lines={said.lines.filter(({ place }) => place === undefined)} />
    </SaidContext>
  );
}

/** The live region of a modal: what lies under one is silent. Stands inside each element that is shown as one. */
export function SaidHere() {
  const said = use(SaidContext);
  if (said === undefined) throw new Error('SaidHere needs an AnnouncerProvider above it');
  const { lines, open } = said;
  const place = useId();
  useEffect(() => open(place), [open, place]);
  return <Lines lines={lines.filter((line) => line.place === place)} />;
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    // Not as a whole: a line that is still there is not said again with the next one.
    <div role="status" aria-atomic={false} className="sr-only">
      {lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}
