/** What a state means to the person who reads it. Colour follows from it and always comes with a glyph and a word. */
export type Tone = 'neutral' | 'ok' | 'busy' | 'warn' | 'danger' | 'hold';

export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  neutral: 'text-ink-3',
  ok: 'text-ok',
  busy: 'text-accent',
  warn: 'text-warn',
  danger: 'text-danger',
  hold: 'text-hold',
};

export const TONE_WASH: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-ink-2',
  ok: 'bg-ok-wash text-ok',
  busy: 'bg-accent-wash text-accent',
  warn: 'bg-warn-wash text-warn',
  danger: 'bg-danger-wash text-danger',
  hold: 'bg-hold-wash text-hold',
};
