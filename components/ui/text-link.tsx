import Link from 'next/link';
import { cn } from './cn.ts';

/** A link inside running text or a row's end. */
export function TextLink({ className, ...rest }: React.ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={cn(
        'rounded-cell text-accent underline decoration-line underline-offset-4 hover:decoration-accent',
        className,
      )}
    />
  );
}
