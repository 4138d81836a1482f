import { type FindingCode, OVERRIDABLE, type RuleSetting, ruleOf, type Section } from '#server/contract/rules.ts';
import type { StoredFinding } from './stored-finding.ts';

/** What decides how much a finding weighs. */
export interface Weights {
  /** What the team that owns the definition made of a rule; undefined: the default holds. */
  setting(kind: string, name: string, code: string): RuleSetting | undefined;
  /** Who took a blocking finding on themselves, for the content as it stands. */
  override(kind: string, name: string, code: string): { readonly name: string; readonly reason: string } | undefined;
}

const SEVERITY_OF = { warn: 'warning', block: 'error' } as const;

/**
 * Findings as they weigh here: each in its section, with the severity that the owner team gave its rule, without those
 * switched off. A rule that always holds cannot be set; an overridden finding warns instead of blocking.
 */
export function applyRules(findings: readonly StoredFinding[], weights: Weights): readonly StoredFinding[] {
  return findings.flatMap((finding): readonly StoredFinding[] => {
    const { kind, name, code } = finding;
    const rule = ruleOf(code);
    const section: Section = finding.section ?? rule?.section ?? 'validity';
    const override = isOverridable(code) ? weights.override(kind, name, code) : undefined;
    if (override !== undefined) return [{ ...finding, section, severity: 'warning', overriddenBy: override }];
    const setting = rule === undefined || rule.setBy === null ? undefined : weights.setting(kind, name, code);
    if (setting === 'off') return [];
    return [{ ...finding, section, severity: setting === undefined ? finding.severity : SEVERITY_OF[setting] }];
  });
}

function isOverridable(code: string): boolean {
  return OVERRIDABLE.includes(code as FindingCode);
}

const ORDER = ['error', 'warning', 'info'] as const;

/** What blocks first; within that as found. */
export function bySeverity(a: Pick<StoredFinding, 'severity'>, b: Pick<StoredFinding, 'severity'>): number {
  return ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity);
}
