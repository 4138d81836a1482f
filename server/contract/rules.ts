import { z } from 'zod';

/** Parts of the verdict of a change, in the order in which its card shows them. */
export const SECTIONS = ['validity', 'compatibility', 'live data', 'traffic', 'cost', 'owners', 'gateways'] as const;
export const Section = z.enum(SECTIONS);
export type Section = z.infer<typeof Section>;

/** Sections that take longer than a pause in typing: they run as a job and their results are kept with the change. */
export const SLOW_SECTIONS = ['live data', 'traffic', 'cost'] as const satisfies readonly Section[];
export type SlowSection = (typeof SLOW_SECTIONS)[number];

/** What a team makes of a rule. */
export const RULE_SETTINGS = ['off', 'warn', 'block'] as const;
export const RuleSetting = z.enum(RULE_SETTINGS);
export type RuleSetting = z.infer<typeof RuleSetting>;

interface Rule {
  readonly section: Section;
  /** What it means when nobody set it otherwise. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Whose rule it is; null: it always holds, since what it finds could not be compiled or served. */
  readonly setBy: 'team' | 'security' | 'operator' | null;
  /** What it finds, in one sentence. */
  readonly about: string;
}

const fixed = (section: Section, about: string, severity: Rule['severity'] = 'error'): Rule => ({
  section,
  severity,
  setBy: null,
  about,
});
const settable = (
  section: Section,
  about: string,
  more: Partial<Pick<Rule, 'severity' | 'setBy'>> = {},
): Rule & { readonly setBy: 'team' | 'security' | 'operator' } => ({
  section,
  severity: more.severity ?? 'warning',
  setBy: more.setBy ?? 'team',
  about,
});
const security = { setBy: 'security' } as const;
const operator = { setBy: 'operator' } as const;
const note = { severity: 'info' } as const;

/** The one table of findings. A code without a row cannot be found: `FindingCode` is its key type. */
export const RULES = {
  name_invalid: fixed('validity', 'A name that no definition of its kind may have.'),
  field_missing: fixed('validity', 'A field without which the definition is unfinished.'),
  field_invalid: fixed('validity', 'A value that its field does not take.'),
  field_unknown: fixed('validity', 'A field that the kind does not have.'),
  end_unknown: fixed('validity', 'An edge type that starts or ends at an object type that does not exist.'),
  inverse_unknown: fixed('validity', 'An inverse that does not exist.'),
  inverse_of_itself: fixed('validity', 'An edge type that is its own inverse.'),
  inverse_shared: fixed('validity', 'One inverse of two edge types.'),
  inverse_ends_differ: fixed('validity', 'An inverse whose ends are not those of its edge type, swapped.'),
  inverse_has_inverse: fixed('validity', 'An inverse that has an inverse.'),
  inverse_not_many: fixed('validity', 'An inverse whose cardinality is one.'),
  tenant_unknown: fixed('validity', 'A principal of a tenant that does not exist.'),
  nothing_to_remove: fixed('validity', 'A removal of what is not published.'),
  nothing_changed: fixed('validity', 'An edit that leaves the definition as it is.', 'info'),
  cedar_syntax: fixed('validity', 'Text that is not Cedar.'),
  cedar_not_one_policy: fixed('validity', 'More or less than one policy in a definition.'),
  cedar_invalid: fixed('validity', 'A policy that names what the schema of decisions does not have.'),
  policy_unknown_name: fixed('validity', 'A policy that names a type or principal that does not exist.'),
  policy_test_failed: fixed('validity', 'A test kept with a policy that comes out otherwise.'),
  cedar_warning: settable('validity', 'What Cedar itself warns of.', security),
  policy_never_applies: settable('validity', 'A policy that can never apply.', security),
  policy_always_allows: settable('validity', 'A policy that lets everybody do everything.', security),
  policy_always_forbids: settable('validity', 'A policy that forbids everything to everybody.', security),
  policy_reaches_nobody: settable('validity', 'A policy that no principal and type of today meet.', security),
  quota_zero: settable('validity', 'A quota that refuses every request of its kind.', operator),

  edge_ends_changed: fixed('compatibility', 'Other ends of a published edge type.'),
  cardinality_narrowed: fixed('compatibility', 'Cardinality one where objects may already have many edges.'),
  max_bytes_narrowed: settable('compatibility', 'A smaller largest content.'),
  classification_lowered: settable('compatibility', 'A classification that opens the type to more policies.'),
  inverse_changed: settable('compatibility', 'An inverse that begins or ends to mirror.'),
  list_cap_narrowed: settable('compatibility', 'Shorter pages of a list.'),
  max_edges_narrowed: settable('compatibility', 'Fewer edges for each object.'),
  edge_data_narrowed: settable('compatibility', 'Less data on an edge.'),
  audit_reduced: settable('compatibility', 'Fewer calls written to the audit log.'),
  tenant_changed: settable('compatibility', 'A principal that moves to another tenant.', security),
  content_schema_enforced: settable(
    'compatibility',
    'Content that begins to be refused when it does not fit a schema.',
  ),
  removed: settable('compatibility', 'A definition that goes.'),
  restored: settable('compatibility', 'A removed name that comes back with what is stored under it.', note),
  deprecated: settable('compatibility', 'A type whose replies begin to say that it is deprecated.', note),
  requests_refused: settable('compatibility', 'A type whose requests are refused as type_deprecated.'),

  stored_over_limit: settable('live data', 'Stored objects or edges beyond a narrower limit.'),
  stored_orphaned: settable('live data', 'Stored objects or edges that nothing reaches after a removal.'),

  newly_refused: settable('traffic', 'Requests like those of the last 30 days that would be refused.'),
  newly_allowed: settable('traffic', 'Requests refused lately that would be served.', security),
  quota_below_traffic: settable('traffic', 'A quota below what the tenant used in its busiest seconds.', operator),
  type_in_use: fixed('traffic', 'A removal of a type that was used in the last 30 days. An admin may override it.'),
  type_used: settable('traffic', 'Who used an edited type in the last 30 days.', note),

  cost_raised: settable('cost', 'Operations that cost more request units than before.'),
  cost_lowered: settable('cost', 'Operations that cost fewer request units than before.', note),
  cost_unknown: settable('cost', 'An expected cost with no request behind it.', note),

  owner_unknown: fixed('owners', 'A team that does not exist.'),
  owner_changed: settable('owners', 'A definition that changes hands: both teams approve.', note),

  gateway_too_old: settable('gateways', 'A gateway that could not run the release.', operator),

  check_incomplete: fixed('validity', 'A check that could not run. It blocks removals and warns otherwise.', 'warning'),
} as const satisfies Record<string, Rule>;

export type FindingCode = keyof typeof RULES;

/** The rule of a code; undefined for one that a newer server found. */
export function ruleOf(code: string): Rule | undefined {
  return Object.hasOwn(RULES, code) ? RULES[code as FindingCode] : undefined;
}

/** Findings that an admin may take on themselves, with a reason, for one content of one change. */
export const OVERRIDABLE: readonly FindingCode[] = ['type_in_use'];

/** Codes that a team may set, as the settings page lists them. */
export const SETTABLE_CODES = (Object.keys(RULES) as FindingCode[]).filter((code) => RULES[code].setBy !== null);

/** The setting that means the same as a rule's default. */
export function settingOf({ severity }: Pick<Rule, 'severity'>): RuleSetting | 'note' {
  return severity === 'error' ? 'block' : severity === 'warning' ? 'warn' : 'note';
}

/** GET /api/settings/rules: every rule that can be set, with what each team made of it. Readable by everybody signed in. */
export const Rules = z.object({
  rules: z.array(
    z.object({
      code: z.string(),
      section: Section,
      about: z.string(),
      /** What holds where nobody set it: *note* is shown and asks nothing. */
      usual: z.enum(['note', ...RULE_SETTINGS]),
      setBy: z.enum(['team', 'security', 'operator']),
    }),
  ),
  set: z.array(
    z.object({
      team: z.string(),
      code: z.string(),
      setting: RuleSetting,
      reason: z.string(),
      by: z.string(),
      atMs: z.int(),
    }),
  ),
  teams: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      /** Whose rules the asker may set for this team. */
      may: z.array(z.enum(['team', 'security', 'operator'])),
    }),
  ),
});
export type Rules = z.infer<typeof Rules>;

/** PUT /api/settings/teams/{team}/rules/{code}; null: back to what is usual. */
export const SetRule = z.strictObject({
  setting: RuleSetting.nullable(),
  reason: z.string().trim().min(3, 'Say why, in three characters or more.').max(500),
});
