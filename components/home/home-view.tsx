'use client';

import { usePreferences } from '#components/ui/preferences.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import type { Home } from '#server/contract/shell.ts';
import { FirstSteps } from './first-steps.tsx';
import { HomeRow, HomeSection } from './home-section.tsx';
import { useHome } from './queries.ts';

/** The front page: what needs you, what is unusual now, what happened lately, and the first steps until they are done. */
export function HomeView() {
  const query = useHome();
  return (
    <>
      <h1 className="sr-only">Home</h1>
      <div className="border-line border-y bg-surface desk:border-x">
        <QueryView query={query} label="Home" rows={10}>
          {(home) => <HomeSections home={home} />}
        </QueryView>
      </div>
    </>
  );
}

function HomeSections({ home }: { readonly home: Home }) {
  const { firstSteps } = usePreferences();
  const isLearning = firstSteps === 'shown' && home.firstSteps.some(({ done }) => !done);
  return (
    <div className="divide-y divide-line">
      <HomeSection title="Needs you" none="Nothing waits for you.">
        {home.needsYou.map((item) => (
          <HomeRow
            key={item.href + item.text}
            href={item.href}
            text={item.text}
            atMs={item.sinceMs}
            mark={{ kind: 'filled', tone: 'busy' }}
          />
        ))}
      </HomeSection>
      <HomeSection title="Right now" none="Nothing unusual." isNoneGood>
        {home.rightNow.map((item) => (
          <HomeRow
            key={item.href + item.text}
            href={item.href}
            text={item.text}
            atMs={item.sinceMs}
            mark={item.severity === 'error' ? { kind: 'square', tone: 'danger' } : { kind: 'triangle', tone: 'warn' }}
          />
        ))}
      </HomeSection>
      <HomeSection title="Lately" none="Nothing was published yet.">
        {home.lately.map((item) => (
          <HomeRow
            key={`${item.atMs} ${item.text}`}
            href={item.href}
            text={item.text}
            atMs={item.atMs}
            mark={
              /^r\d+ · Emergency/.test(item.text)
                ? { kind: 'triangle', tone: 'hold' }
                : { kind: 'dot', tone: 'neutral' }
            }
          />
        ))}
      </HomeSection>
      {isLearning && <FirstSteps steps={home.firstSteps} />}
    </div>
  );
}
