'use client';

import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { BrowserSettings } from './browser-settings.tsx';
import { PeopleSettings } from './people-settings.tsx';
import { useSettings } from './queries.ts';
import { RoleMappings } from './role-mappings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { TeamSettings } from './team-settings.tsx';
import { TokenSettings } from './token-settings.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'people', label: 'People and roles' },
  { value: 'teams', label: 'Teams and review' },
  { value: 'rules', label: 'Rules' },
  { value: 'groups', label: 'Groups' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'browser', label: 'This browser' },
];

/** Who may do what in the console, how changes are reviewed, and how this browser shows things. */
export function SettingsView() {
  const tab = useTab(TABS);
  return (
    <>
      <PageHead title="Settings" />
      <Tabs label="Settings" tabs={TABS} className="mb-6" />
      <SettingsTab tab={tab} />
    </>
  );
}

function SettingsTab({ tab }: { readonly tab: string }) {
  if (tab === 'browser') return <BrowserSettings />;
  if (tab === 'tokens') return <TokenSettings />;
  return tab === 'rules' ? <RuleSettings /> : <Installation tab={tab} />;
}

function Installation({ tab }: { readonly tab: string }) {
  const query = useSettings();
  return (
    <QueryView query={query} label="Settings">
      {(settings) => {
        if (tab === 'teams') return <TeamSettings settings={settings} />;
        return tab === 'groups' ? <RoleMappings settings={settings} /> : <PeopleSettings settings={settings} />;
      }}
    </QueryView>
  );
}
