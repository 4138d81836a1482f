import 'server-only';
import { z } from 'zod';
import { ServerError } from '#server/contract/server-error.ts';

const NameCursor = z.tuple([z.enum(['next', 'previous']), z.string().max(64), z.string().max(64), z.int().min(0)]);

/** A place in a list by name: the row that the page before ended with, or that the page after begins with. */
export interface NamePlace {
  readonly way: 'next' | 'previous';
  readonly name: string;
  readonly kind: string;
  /** The part of the list, where it has several. */
  readonly group: number;
}

/** The place in a cursor; null for the first page. A foreign one is `invalid_input`. */
export function readNameCursor(text: string | undefined): NamePlace | null {
  if (text === undefined) return null;
  try {
    const [way, name, kind, group] = NameCursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { way, name, kind, group };
  } catch (cause) {
    throw new ServerError('invalid_input', {
      publicMessage: 'The cursor is not one of this list. Start again from the first page.',
      cause,
    });
  }
}

export function writeNameCursor({ way, name, kind, group }: NamePlace): string {
  return Buffer.from(JSON.stringify([way, name, kind, group])).toString('base64url');
}
