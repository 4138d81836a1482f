import { z } from 'zod';

/** Bytes of a string in UTF-8, without allocating for the ASCII case. */
export function utf8Bytes(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 0x7f) return new TextEncoder().encode(text).length;
  }
  return text.length;
}

const name = (pattern: RegExp, says: string) => z.string().regex(pattern, says);

/** Name of a tenant: lower case, digits and hyphens, 1–48 characters. */
export const TenantName = name(
  /^[a-z][a-z0-9-]{0,47}$/,
  'A tenant name starts with a lower-case letter and has lower-case letters, digits and hyphens, at most 48.',
).brand<'TenantName'>();
export type TenantName = z.infer<typeof TenantName>;

/** Name of an object type: `Message`, 1–48 letters, digits and underscores. */
export const ObjectTypeName = name(
  /^[A-Z][A-Za-z0-9_]{0,47}$/,
  'An object type name starts with a capital and has letters, digits and underscores, at most 48.',
).brand<'ObjectTypeName'>();
export type ObjectTypeName = z.infer<typeof ObjectTypeName>;

/** Name of an edge type: `messages`, 1–48 letters, digits and underscores. */
export const EdgeTypeName = name(
  /^[a-z][A-Za-z0-9_]{0,47}$/,
  'An edge type name starts with a lower-case letter and has letters, digits and underscores, at most 48.',
).brand<'EdgeTypeName'>();
export type EdgeTypeName = z.infer<typeof EdgeTypeName>;

/** Name of a principal: lower case, digits and hyphens, 1–48 characters. */
export const PrincipalName = name(
  /^[a-z][a-z0-9-]{0,47}$/,
  'A principal name starts with a lower-case letter and has lower-case letters, digits and hyphens, at most 48.',
).brand<'PrincipalName'>();
export type PrincipalName = z.infer<typeof PrincipalName>;

/** Name of a policy: lower case, digits and hyphens, 1–64 characters. */
export const PolicyName = name(
  /^[a-z][a-z0-9-]{0,63}$/,
  'A policy name starts with a lower-case letter and has lower-case letters, digits and hyphens, at most 64.',
).brand<'PolicyName'>();
export type PolicyName = z.infer<typeof PolicyName>;

/** Name of a team: lower case, digits and hyphens, 1–48 characters. */
export const TeamName = name(
  /^[a-z][a-z0-9-]{0,47}$/,
  'A team name starts with a lower-case letter and has lower-case letters, digits and hyphens, at most 48.',
).brand<'TeamName'>();
export type TeamName = z.infer<typeof TeamName>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: ids must not contain control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Id of an object: 1–255 bytes of UTF-8, no control characters, no lone surrogate, and neither `.` nor `..`
 * (every URL parser removes those two). Any other id round-trips.
 */
export const ObjectId = z
  .string()
  .min(1, 'An id has at least one byte.')
  .refine((id) => utf8Bytes(id) <= 255, 'An id has at most 255 bytes of UTF-8.')
  .refine((id) => !CONTROL.test(id), 'An id has no control characters.')
  .refine((id) => id.isWellFormed(), 'An id is well-formed Unicode.')
  .refine((id) => id !== '.' && id !== '..', '"." and ".." are not ids.')
  .brand<'ObjectId'>();
export type ObjectId = z.infer<typeof ObjectId>;

/** SHA-256 in lower-case hex. */
export const Sha256Hex = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'Sha256Hex'>();
export type Sha256Hex = z.infer<typeof Sha256Hex>;
