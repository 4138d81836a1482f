interface FigureToggleProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: string;
}

/** A switch in the head of a figure: *Table*, *Log*. On is underlined, not only coloured. */
export function FigureToggle({ on, onChange, children }: FigureToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onChange(!on)}
      className="min-h-6 rounded-cell px-1 decoration-2 underline-offset-4 hover:text-ink aria-pressed:text-accent aria-pressed:underline"
    >
      {children}
    </button>
  );
}
