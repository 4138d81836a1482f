'use client';

import { useState } from 'react';
import { SECTION_WORDS } from '#components/changes/verdict-sections.ts';
import { useMe } from '#components/shell/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Select } from '#components/ui/select.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import type { Rules } from '#server/contract/rules.ts';
import { useRules } from './queries.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { SET_BY_WORDS, SETTING_WORDS } from './rule-words.ts';

type Row = Rules['rules'][number] & {
  readonly set: Rules['set'][number] | undefined;
  readonly why: string | undefined;
};

/** What each team makes of each rule of the checks. */
export function RuleSettings() {
  const query = useRules();
  return (
    <QueryView query={query} label="Rules">
      {(rules) => <RulesOfTeam rules={rules} />}
    </QueryView>
  );
}

function RulesOfTeam({ rules }: { readonly rules: Rules }) {
  const mine = useMe().data?.teams ?? [];
  const { search, set } = useUrlState();
  const [edited, setEdited] = useState<Row>();
  const team = rules.teams.find(({ name }) => name === (search.get('team') ?? mine[0])) ?? rules.teams[0];
  if (team === undefined) return null;
  const rows = rules.rules.map((rule): Row => {
    const may = team.may.includes(rule.setBy);
    return {
      ...rule,
      set: rules.set.find((one) => one.team === team.name && one.code === rule.code),
      why: may ? undefined : `${SET_BY_WORDS[rule.setBy]} or an admin sets it.`,
    };
  });
  return (
    <>
      <Sentence size="prose" className="mb-4">
        A check may find what your team lives with. Each rule is off, warns or blocks for the definitions of one team.
        What could not be compiled or served always blocks and is not listed.
      </Sentence>
      <Field label="Team" className="mb-4 w-60" required>
        <Select
          value={team.name}
          onChange={(event) => set({ team: event.target.value })}
          options={rules.teams.map(({ name, displayName }) => ({ value: name, label: displayName }))}
        />
      </Field>
      <Ruled>
        <Ledger
          label={`Rules of ${team.displayName}`}
          columns={columns(setEdited)}
          rows={rows}
          rowKey={({ code }) => code}
        />
      </Ruled>
      {edited !== undefined && (
        <RuleDialog key={edited.code} team={team} rule={edited} set={edited.set} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}

function columns(onSet: (row: Row) => void): readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] {
  return [
    {
      key: 'rule',
      head: 'Rule',
      cell: ({ about, code }) => (
        <span className="grid">
          {about}
          <code className="font-mono text-ink-3 text-meta">{code}</code>
        </span>
      ),
    },
    { key: 'section', head: 'Part', width: '9rem', phone: 'hide', cell: ({ section }) => SECTION_WORDS[section] },
    {
      key: 'setting',
      head: 'Means',
      width: '14rem',
      cell: ({ usual, set }) =>
        set === undefined ? (
          <span className="text-ink-2">{SETTING_WORDS[usual]}, as usual</span>
        ) : (
          <span className="grid">
            <span className="font-medium">{SETTING_WORDS[set.setting]}</span>
            <span className="text-ink-3 text-meta">
              {set.by}: “{set.reason}”
            </span>
          </span>
        ),
    },
    {
      key: 'act',
      head: '',
      align: 'right',
      width: '6rem',
      phone: 'end',
      cell: (row) => (
        <Button look="quiet" disabledWhy={row.why} onClick={() => onSet(row)} aria-label={`Set ${row.code}`}>
          Set
        </Button>
      ),
    },
  ];
}
