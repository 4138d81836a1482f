import type { FilterKey } from '#components/ui/filter-completions.ts';
import { parseFilter, withoutToken } from '#components/ui/parse-filter.ts';

/** Tokens of the audit log's filter line, as the server reads them. */
export const AUDIT_KEYS: readonly FilterKey[] = [
  { key: 'actor', about: 'who did it' },
  {
    key: 'kind',
    about: 'which kind of actor',
    values: [
      'engineer',
      'security',
      'operator',
      'auditor',
      'admin',
      'service principal',
      'user principal',
      'agent',
      'operator principal',
      'system',
    ],
  },
  { key: 'token', about: 'which token the actor came with' },
  {
    key: 'did',
    about: 'what was done',
    values: [
      'opened',
      'edited',
      'sent to review',
      'approved',
      'published',
      'abandoned',
      'made',
      'revoked',
      'signed in',
      'refused',
      'wrote',
      'deleted',
      'read',
    ],
  },
  { key: 'type', about: 'object or edge type' },
  { key: 'tenant', about: 'whose data' },
  { key: 'policy', about: 'which policy decided' },
  { key: 'release', about: 'under which release' },
  { key: 'request', about: 'a request id' },
  { key: 'after', about: 'not before 13:30, 2026-11-30, or 2h ago' },
  { key: 'before', about: 'earlier than that' },
];

/** A line without its times. */
export function withoutTimes(line: string): string {
  const isTime = (key: string | undefined) => key === 'after' || key === 'before';
  const found = parseFilter(line).find(({ key }) => isTime(key));
  return found === undefined ? line : withoutTimes(withoutToken(line, found));
}
