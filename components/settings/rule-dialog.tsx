'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { RULE_SETTINGS, type RuleSetting, type Rules } from '#server/contract/rules.ts';
import { useSetRule } from './queries.ts';
import { SETTING_WORDS } from './rule-words.ts';

interface RuleDialogProps {
  readonly team: Rules['teams'][number];
  readonly rule: Rules['rules'][number];
  readonly set: Rules['set'][number] | undefined;
  readonly onClose: () => void;
}

const MEANS: Readonly<Record<RuleSetting, string>> = {
  off: 'It is not looked for.',
  warn: 'A reviewer ticks it before approving.',
  block: 'The change cannot be sent to review, approved or published.',
};

/** Sets one rule of one team. */
export function RuleDialog({ team, rule, set, onClose }: RuleDialogProps) {
  const [setting, setSetting] = useState<RuleSetting | null>(set?.setting ?? null);
  const save = useSetRule();
  const { toast } = useAnnouncer();
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`${rule.code} for ${team.displayName}`}
      act="Set the rule"
      reason="required"
      pending={save.isPending}
      error={save.isError ? <p className="text-danger">{messageOf(save.error)}</p> : undefined}
      onConfirm={(reason) =>
        save.mutate(
          { team: team.name, code: rule.code, setting, reason },
          {
            onSuccess: () => {
              toast(`${rule.code} of ${team.displayName} is set.`);
              onClose();
            },
          },
        )
      }
    >
      <p>{rule.about}</p>
      <fieldset className="grid gap-2 text-body">
        <legend className="sr-only">What it means</legend>
        <Checkbox
          kind="radio"
          name="setting"
          label={`As usual: ${SETTING_WORDS[rule.usual].toLowerCase()}`}
          checked={setting === null}
          onChange={() => setSetting(null)}
        />
        {RULE_SETTINGS.map((option) => (
          <Checkbox
            key={option}
            kind="radio"
            name="setting"
            label={SETTING_WORDS[option]}
            hint={MEANS[option]}
            checked={setting === option}
            onChange={() => setSetting(option)}
          />
        ))}
      </fieldset>
      <p>Open changes of {team.displayName} are judged by it at once. Approvals given so far stay.</p>
    </ConfirmEffect>
  );
}
