'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Finding } from '#components/ui/finding.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { ChangeDetail, Finding as FindingOf } from '#server/contract/changes.ts';
import { type FindingCode, OVERRIDABLE } from '#server/contract/rules.ts';
import { fieldPath } from './find-findings.ts';
import { OverrideDialog } from './override-dialog.tsx';

interface FindingItemProps {
  readonly detail: ChangeDetail;
  readonly finding: FindingOf;
  readonly onJump: (finding: FindingOf) => void;
}

/** One finding on the card: its place leads to the field, its example to where it can be looked at. */
export function FindingItem({ detail, finding, onJump }: FindingItemProps) {
  const [isOverriding, setOverriding] = useState(false);
  const path = fieldPath(finding.path);
  return (
    <>
      <Finding
        severity={finding.severity}
        code={finding.code}
        example={<Example finding={finding} />}
        acts={
          isOverridable(finding) ? (
            <Button
              look="quiet"
              disabledWhy={detail.may.override.may ? undefined : detail.may.override.why}
              onClick={() => setOverriding(true)}
            >
              Override
            </Button>
          ) : undefined
        }
        place={
          <button
            type="button"
            onClick={() => onJump(finding)}
            className="min-h-6 rounded-cell border-line border-b font-mono hover:border-accent hover:text-accent"
          >
            {finding.name}
            {path !== '' && ` · ${path}`}
          </button>
        }
      >
        {finding.message}
      </Finding>
      {isOverriding && <OverrideDialog detail={detail} finding={finding} onClose={() => setOverriding(false)} />}
    </>
  );
}

/** Blocks, and an admin may take it on themselves. */
function isOverridable({ code, severity }: FindingOf): boolean {
  return severity === 'error' && OVERRIDABLE.includes(code as FindingCode);
}

function Example({ finding: { example, href, overriddenBy } }: { readonly finding: FindingOf }) {
  return (
    <>
      {example}
      {href !== undefined && (
        <>
          {' '}
          <TextLink href={href}>{href.startsWith('/requests/') ? 'See the request' : 'See it'}</TextLink>
        </>
      )}
      {overriddenBy !== undefined && (
        <span className="block">
          {overriddenBy.name} overrode it: “{overriddenBy.reason}”
        </span>
      )}
    </>
  );
}
