import { z } from 'zod';
import { Scope } from './scopes.ts';

export const ROLES = ['engineer', 'security', 'operator', 'auditor', 'admin', 'viewer'] as const;
export const Role = z.enum(ROLES);
/** A right in the console. Principals have groups, never roles. */
export type Role = z.infer<typeof Role>;

/** A person as named on pages. Kept by name after deletion. */
export const Person = z.object({ id: z.string(), name: z.string() });
export type Person = z.infer<typeof Person>;

/** GET /api/me */
export const Me = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(Role),
  teams: z.array(z.string()),
  /** The embedded default's one-click users, for *Act as …*; empty elsewhere. */
  demoUsers: z.array(z.object({ id: z.string(), name: z.string(), about: z.string() })),
  /** The token that was asked with; absent with a session. */
  token: z.object({ id: z.string(), name: z.string(), scopes: z.array(Scope), expiresAtMs: z.int() }).optional(),
});
export type Me = z.infer<typeof Me>;

/** GET /api/settings (readable by all). */
export const REVIEW_MODES = ['second person', 'self with reason', 'off'] as const;
export const ReviewMode = z.enum(REVIEW_MODES);
export type ReviewMode = z.infer<typeof ReviewMode>;

/** Kinds of edits that are reviewed alike: types by their team, policies and principals by security, tenants by operators. */
export const REVIEW_KINDS = ['types', 'access', 'quotas'] as const;
export const ReviewKind = z.enum(REVIEW_KINDS);
export type ReviewKind = z.infer<typeof ReviewKind>;

export const Settings = z.object({
  people: z.array(
    z.object({ id: z.string(), name: z.string(), email: z.string(), roles: z.array(Role), teams: z.array(z.string()) }),
  ),
  teams: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      /** How its types, its policies and principals, and its tenants are reviewed. */
      reviewModes: z.object({ types: ReviewMode, access: ReviewMode, quotas: ReviewMode }),
      members: z.int(),
    }),
  ),
  roleMappings: z.array(z.object({ group: z.string(), role: Role })),
  canEdit: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** PUT /api/settings/teams/{team}/review-mode (admin) */
export const SetReviewMode = z.strictObject({
  kind: ReviewKind.default('types'),
  reviewMode: ReviewMode,
  reason: z.string().trim().min(3).max(500),
});
/** PUT /api/settings/people/{id}/roles (admin): takes effect at the person's next request. */
export const SetRoles = z.strictObject({ roles: z.array(Role).max(6), reason: z.string().trim().min(3).max(500) });
/** PUT /api/settings/role-mappings (admin) replaces them all. */
export const SetRoleMappings = z.strictObject({
  mappings: z.array(z.strictObject({ group: z.string().trim().min(1).max(200), role: Role })).max(200),
});
