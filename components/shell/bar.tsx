import { Mark } from '#components/ui/mark.tsx';
import { TONE_WASH, type Tone } from '#components/ui/tone.ts';

/** One line above every page, for what concerns everybody who uses the installation. */
export function Bar({ tone, children }: { readonly tone: Tone; readonly children: React.ReactNode }) {
  return (
    <div
      role="status"
      className={`flex items-baseline gap-2 border-line border-b px-4 py-2 desk:px-6 ${TONE_WASH[tone]}`}
    >
      <Mark kind={tone === 'danger' ? 'square' : 'triangle'} className="translate-y-px" />
      <p className="min-w-0 text-ink">{children}</p>
    </div>
  );
}
