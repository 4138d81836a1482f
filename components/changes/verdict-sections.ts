import { findingCountText } from '#components/ui/finding.tsx';
import type { ChangeDetail, Check, Finding } from '#server/contract/changes.ts';
import { ruleOf, SECTIONS, type Section, SLOW_SECTIONS } from '#server/contract/rules.ts';
import { countFindings } from './find-findings.ts';

/** One part of the verdict with what was found there, what blocks first. */
export interface VerdictSection {
  readonly section: Section;
  /** Undefined for a part that is judged at every look. */
  readonly check: Check | undefined;
  readonly findings: readonly Finding[];
}

export const SECTION_WORDS: Readonly<Record<Section, string>> = {
  validity: 'Validity',
  compatibility: 'Compatibility',
  'live data': 'Live data',
  traffic: 'Traffic',
  cost: 'Cost',
  owners: 'Owners',
  gateways: 'Gateways',
};

const SLOW: ReadonlySet<Section> = new Set(SLOW_SECTIONS);
const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** Findings by part of the verdict, in the order of its card. A finding of no known part is one of validity. */
export function verdictSections(findings: readonly Finding[], checks: readonly Check[]): readonly VerdictSection[] {
  const bySection = Map.groupBy(findings, sectionOf);
  return SECTIONS.map((section) => ({
    section,
    check: checks.find((one) => one.section === section),
    findings: (bySection.get(section) ?? []).toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]),
  }));
}

/** The verdict in a line: *1 finding blocks, 4 warn*, of a published change *as published*, of an empty one that nothing was checked. */
export function verdictTitle(
  { row }: Pick<ChangeDetail, 'row'>,
  { findings, isEmpty }: { readonly findings: readonly Finding[]; readonly isEmpty: boolean },
): string {
  if (isEmpty) return 'Nothing is checked: the change has no edits.';
  const text = findingCountText(countFindings(findings));
  return row.release === null ? text : `As published: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** The part of the verdict that a finding belongs to. */
export function sectionOf({ section, code }: Pick<Finding, 'section' | 'code'>): Section {
  return section ?? ruleOf(code)?.section ?? 'validity';
}

/** How far a part is: *61 %*, *waiting*, *could not run*; undefined when it is done. A slow part that nothing says of is not. */
export function progressWords({ section, check }: Pick<VerdictSection, 'section' | 'check'>): string | undefined {
  if (check === undefined) return SLOW.has(section) ? 'not checked yet' : undefined;
  switch (check.state) {
    case 'running':
      return check.parts === 0 ? 'checking' : `${Math.floor((100 * check.progress) / check.parts)} %`;
    case 'waiting':
      return 'waiting';
    case 'failed':
      return 'could not run';
    default:
      return undefined;
  }
}
