import { formatUs } from '#components/charts/duration-axis.ts';
import { formatCount, formatRu, plural } from '#components/ui/format-number.ts';
import type { SpineEntry } from '#components/ui/spine.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import { type AttemptRecord, type RequestRecord, STAGES, type Stage } from '#gateway/contract/telemetry.ts';
import { answersWords } from './attempt-words.ts';
import { endWords } from './request-words.ts';

/** The request as a spine: received, known, decided, admitted, stored, answered. A step that was not reached is left out. */
export function requestSpine(record: RequestRecord): readonly SpineEntry[] {
  return [received(record), known(record), decided(record), admitted(record), stored(record), answered(record)].filter(
    (entry) => entry !== undefined,
  );
}

function received({ atMs, gateway, worker, release }: RequestRecord): SpineEntry {
  return {
    id: 'received',
    atMs,
    at: <Time ms={atMs} style="ms" />,
    mark: 'gateway',
    what: (
      <>
        Received by{' '}
        <Token kind="gateway" bare href={`/gateways?row=${encodeURIComponent(gateway)}`}>
          {gateway}
        </Token>
        , worker {worker}
        {release === null ? ', before its first release' : ', which served '}
        {release !== null && (
          <Token kind="release" bare href={`/releases/${release}`}>
            r{release}
          </Token>
        )}
      </>
    ),
  };
}

/** When a stage had ended, after it and all before it: all of it is within one second, so it is told from the first byte. */
function endOf({ atMs, stages }: RequestRecord, stage: Stage): Pick<SpineEntry, 'atMs' | 'at'> {
  const upTo = STAGES.slice(0, STAGES.indexOf(stage) + 1);
  return after(
    atMs,
    upTo.reduce((sum, each) => sum + (stages[each] ?? 0), 0),
  );
}

function after(atMs: number, us: number): Pick<SpineEntry, 'atMs' | 'at'> {
  return { atMs: atMs + Math.round(us / 1_000), at: `+${formatUs(us)}` };
}

function known(record: RequestRecord): SpineEntry | undefined {
  const { principal, keyId, code } = record;
  const at = endOf(record, 'auth');
  if (principal === null && code !== 'unauthenticated') return undefined;
  if (principal === null)
    return { id: 'known', ...at, mark: { state: 'cross' }, tone: 'danger', what: 'No live key was sent' };
  return {
    id: 'known',
    ...at,
    mark: 'principal',
    what: (
      <>
        Known as{' '}
        <Token kind="principal" bare href={`/principals/${encodeURIComponent(principal)}`}>
          {principal}
        </Token>
      </>
    ),
    detail: keyId === null ? undefined : <>by key {keyId}</>,
  };
}

function decided(record: RequestRecord): SpineEntry | undefined {
  const { policy, code, release } = record;
  const isDenied = code === 'forbidden';
  if (policy === null && !isDenied) return undefined;
  const under = release === null ? '' : ` @ r${release}`;
  return {
    id: 'decided',
    ...endOf(record, 'policy'),
    mark: isDenied ? { state: 'cross' } : 'policy',
    tone: isDenied ? 'danger' : 'ok',
    what:
      policy === null ? (
        'Denied: no policy permits it'
      ) : (
        <>
          {isDenied ? 'Denied by ' : 'Permitted by '}
          <Token kind="policy" href={`/policies/${encodeURIComponent(policy)}`}>
            {policy}
          </Token>
          {under}
        </>
      ),
  };
}

function admitted(record: RequestRecord): SpineEntry | undefined {
  const { quota, code } = record;
  if (quota === null) return undefined;
  const isSpent = code === 'quota_exceeded';
  return {
    id: 'admitted',
    ...endOf(record, 'admit'),
    mark: { state: isSpent ? 'triangle' : 'filled' },
    tone: isSpent ? 'warn' : 'ok',
    what: isSpent ? `Quota of ${quota.dimension} was spent` : `Admitted by the quota of ${quota.dimension}`,
    detail: `${formatCount(quota.remaining)} of ${formatCount(quota.limitPerSecond)} a second were left`,
  };
}

function stored(record: RequestRecord): SpineEntry | undefined {
  const { attempts, cache, stages, ru } = record;
  const id = 'stored';
  const at = endOf(record, 'store');
  if (attempts.length === 0) {
    if (cache !== 'hit') return undefined;
    return { id, ...at, mark: { state: 'filled' }, what: 'The cache had it', detail: 'Cosmos DB was not asked' };
  }
  return {
    id,
    ...at,
    mark: { state: attempts.every(isPlain) ? 'filled' : 'half' },
    what: `Cosmos DB answered ${answersWords(attempts)}`,
    detail: `${plural(attempts.length, 'attempt')}, ${formatRu(ru)}${stages.store === undefined ? '' : `, ${formatUs(stages.store)}`}`,
  };
}

/** Neither an error nor silence; the loser of two reads is neither. */
function isPlain({ status, overtaken }: AttemptRecord): boolean {
  return overtaken || (status > 0 && (status < 400 || status === 404));
}

function answered(record: RequestRecord): SpineEntry {
  const isGood = record.outcome === 'served' || record.outcome === 'notFound';
  return {
    id: 'answered',
    ...after(record.atMs, record.durationUs),
    mark: { state: isGood ? 'check' : 'cross' },
    tone: isGood ? 'ok' : 'danger',
    what: `Answered ${record.status}${record.code === null ? '' : ` ${record.code}`}`,
    detail: endWords(record).replace(/^and /, ''),
  };
}
