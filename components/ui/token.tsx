import Link from 'next/link';
import { cn } from './cn.ts';
import { Glyph, type GlyphKind } from './glyph.tsx';

interface TokenProps {
  readonly kind: GlyphKind;
  readonly children: React.ReactNode;
  /** Where the thing lives; without it the token is plain text. */
  readonly href?: string | undefined;
  /** Hide the glyph where a column or the sentence already says which noun it is. */
  readonly bare?: boolean | undefined;
  readonly className?: string | undefined;
}

/** The name of one thing inside a sentence or a row: glyph, mono name, a hairline under it when it can be opened. */
export function Token({ kind, children, href, bare = false, className }: TokenProps) {
  // r42 and ∆31 start with their own mark.
  const showsGlyph = !bare && kind !== 'release' && kind !== 'change';
  const content = (
    <>
      {showsGlyph && <Glyph kind={kind} named className="mr-1 translate-y-[-0.5px] align-middle text-ink-3" />}
      <bdi className={cn('font-mono text-[0.9375em]', showsGlyph && 'whitespace-normal')}>{children}</bdi>
    </>
  );
  // The name may go on in the next line, but its glyph never stays behind at the end of one.
  const whole = showsGlyph && 'whitespace-nowrap';
  if (href === undefined) return <span className={cn(whole, className)}>{content}</span>;
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn('rounded-cell border-line border-b hover:border-accent hover:text-accent', whole, className)}
    >
      {content}
    </Link>
  );
}
