import { ACTOR_WORDS } from '#components/tenants/actor-words.ts';
import { Section } from '#components/ui/section.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ListedRequest } from '#server/contract/requests.ts';
import { namedKeyState } from './request-words.ts';

/** What else the record says, and the lists that hold its like. */
export function RequestFacts({ record }: { readonly record: ListedRequest }) {
  const like = new URLSearchParams();
  if (record.tenant !== null) like.set('tenant', record.tenant);
  if (record.principal !== null) like.set('principal', record.principal);
  if (record.code !== null) like.set('code', record.code);
  else if (record.operation !== null) like.set('operation', record.operation);
  return (
    <Section title="Record" frame="ruled" acts={<TextLink href={`/requests?${like}`}>Requests like it</TextLink>}>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1 p-4 [&>dt]:text-ink-3">
        <dt>Time</dt>
        <dd>
          <Time ms={record.atMs} style="full" />
        </dd>
        <dt>Principal</dt>
        <dd>
          {record.principal === null ? 'unknown' : <bdi className="font-mono">{record.principal}</bdi>}
          {record.actorKind !== null && <span className="text-ink-3"> · {ACTOR_WORDS[record.actorKind].noun}</span>}
        </dd>
        <dt>Key</dt>
        <dd>
          <KeyWords record={record} />
        </dd>
        <dt>Gateway</dt>
        <dd>
          <span className="font-mono">{record.gateway}</span> · worker {record.worker}
        </dd>
        <dt>Policy</dt>
        <dd>{record.policy === null ? 'none decided' : <span className="font-mono">{record.policy}</span>}</dd>
      </dl>
    </Section>
  );
}

function KeyWords({ record }: { readonly record: ListedRequest }) {
  const { keyId, principal, namedKey, atMs } = record;
  if (keyId === null) return 'none that is live';
  const id = <span className="font-mono">hk_{keyId}</span>;
  if (principal !== null) return id;
  return (
    <>
      {id} was named, {namedKey === null ? 'and does not exist' : namedKeyState(namedKey, atMs)}
    </>
  );
}
