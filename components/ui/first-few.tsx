'use client';

import { useState } from 'react';
import { Button } from './button.tsx';
import { formatCount } from './format-number.ts';

interface FirstFewProps<Item> {
  readonly items: readonly Item[];
  /** How many are shown until all are asked for. */
  readonly most: number;
  /** What they are, in plural: `definitions`. */
  readonly noun: string;
  readonly children: (shown: readonly Item[]) => React.ReactNode;
}

/** The first few of a long list, and a button for all of it: a page stays one that can be read. */
export function FirstFew<Item>({ items, most, noun, children }: FirstFewProps<Item>) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || items.length <= most) return children(items);
  return (
    <>
      {children(items.slice(0, most))}
      <div>
        <Button look="quiet" className="-ml-2" onClick={() => setWhole(true)}>
          Show all {formatCount(items.length)} {noun}
        </Button>
      </div>
    </>
  );
}
