import { useModKey } from '#components/ui/mod-key.tsx';

const NAMES: Readonly<Record<string, string>> = { enter: 'Enter', space: 'Space', esc: 'Esc', k: 'K' };

/** A shortcut as it is pressed: `g h`, `Ctrl K`, on an Apple keyboard `⌘ K`. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  const mod = useModKey().cap;
  const caps = keys.includes('+')
    ? keys.split('+').map((cap) => (cap === 'mod' ? mod : (NAMES[cap] ?? cap)))
    : keys.split(' ').map((cap) => (cap.length > 1 ? (NAMES[cap] ?? cap) : cap));
  return (
    <kbd className="whitespace-nowrap font-mono text-ink-2 text-meta">
      {caps.map((cap) => (
        <span key={cap} className="ml-1 inline-block min-w-5 rounded-cell border border-line px-1 text-center">
          {cap}
        </span>
      ))}
    </kbd>
  );
}
