'use client';

import { Mark } from '#components/ui/mark.tsx';
import { useMe } from './queries.ts';

/** Someone without a role reads definitions and nothing more. Nobody becomes admin by arriving first; there are two ways in. */
export function NoRole() {
  const me = useMe().data;
  if (me === undefined || me.roles.length > 0) return null;
  return (
    <section
      aria-label="No role yet"
      className="mb-6 flex gap-3 border border-line border-l-2 border-l-warn bg-surface px-4 py-3"
    >
      <Mark kind="triangle" className="mt-1.5 text-warn" />
      <div className="grid max-w-[72ch] gap-1 text-prose">
        <p>
          {me.name}, you are signed in and have no role yet: you read definitions, changes and releases, and change
          nothing. There are two ways in:
        </p>
        <ol className="list-decimal pl-5">
          <li>
            An admin gives you a role, or gives one to a group of yours, under Settings. It works at your next request.
            You are listed there as <span className="font-mono">{me.email || me.name}</span>.
          </li>
          <li>
            Without an admin yet: whoever runs this installation names your group in{' '}
            <code className="font-mono">HABITAT_ADMIN_GROUP</code> and starts the console again.
          </li>
        </ol>
      </div>
    </section>
  );
}
