import { describe, expect, it } from 'vitest';
import { createBreaker, type Verdict } from '#gateway/store/regions/breaker.ts';
import { allocateRegionTable, openRegionTable, slotOf } from '#gateway/store/regions/shared-table.ts';

const START = 1_800_000_000_000;
/** 0.5 is the middle of every jitter. */
const MIDDLE = () => 0.5;

function newBreakers() {
  const buffer = allocateRegionTable();
  const open = () => createBreaker(slotOf(openRegionTable(buffer), 'https://east.example'), MIDDLE);
  return { one: open(), other: open() };
}

type Breaker = ReturnType<typeof newBreakers>['one'];

function attempt(breaker: Breaker, verdict: Verdict, nowMs: number, startedAtMs = nowMs) {
  const admission = breaker.admit(nowMs);
  if (admission !== null) breaker.report({ admission, startedAtMs }, verdict, nowMs);
  return admission;
}

/** Five failures in a row, half a second from the first to the last. */
function openBy(breaker: Breaker, atMs = START) {
  for (let index = 0; index < 5; index += 1) attempt(breaker, 'unwell', atMs + index * 125);
  return atMs + 500;
}

describe('a breaker', () => {
  it('opens after five failures in a row over half a second, for all workers, and says since when', () => {
    const { one, other } = newBreakers();
    expect(one.sinceMs()).toBeNull();
    const openedMs = openBy(one);
    expect([one.state(openedMs), other.state(openedMs)]).toEqual(['open', 'open']);
    expect(other.admit(openedMs)).toBeNull();
    expect(other.sinceMs()).toBe(openedMs);
  });

  it('counts the failures of all workers together', () => {
    const { one, other } = newBreakers();
    for (let index = 0; index < 6; index += 1) attempt(index % 2 === 0 ? one : other, 'unwell', START + index * 100);
    expect(one.state(START + 500)).toBe('open');
  });

  it('stays closed when a burst of connections is reset at once', () => {
    const { one } = newBreakers();
    for (let index = 0; index < 40; index += 1) attempt(one, 'unwell', START);
    expect(one.state(START)).toBe('closed');
  });

  it('takes attempts that timed out as failing since they were sent', () => {
    const { one } = newBreakers();
    for (let index = 0; index < 5; index += 1) attempt(one, 'unwell', START, START - 1_000);
    expect(one.state(START)).toBe('open');
  });

  it('stays closed while a third of many attempts fails, and opens at half', () => {
    const { one } = newBreakers();
    for (let index = 0; index < 300; index += 1) attempt(one, index % 3 === 0 ? 'unwell' : 'well', START + index * 10);
    expect(one.state(START + 3_000)).toBe('closed');
    const { one: worse } = newBreakers();
    for (let index = 0; index < 100; index += 1)
      attempt(worse, index % 2 === 0 ? 'unwell' : 'well', START + index * 10);
    expect(worse.state(START + 1_000)).toBe('open');
  });

  it('forgets what lies more than ten seconds back', () => {
    const { one } = newBreakers();
    for (let index = 0; index < 48; index += 1) attempt(one, index % 2 === 0 ? 'unwell' : 'well', START + index);
    const laterMs = START + 15_000;
    for (let index = 0; index < 48; index += 1) attempt(one, index % 2 === 0 ? 'unwell' : 'well', laterMs + index);
    expect(one.state(laterMs + 48)).toBe('closed');
  });

  it('learns nothing from what is unclear', () => {
    const { one } = newBreakers();
    for (let index = 0; index < 100; index += 1) attempt(one, 'unclear', START + index * 100);
    expect(one.state(START + 10_000)).toBe('closed');
  });

  it('lets one attempt pass after a second, and closes when that is answered', () => {
    const { one, other } = newBreakers();
    const halfOpenMs = openBy(one) + 1_000;
    expect(one.state(halfOpenMs)).toBe('halfOpen');
    expect(one.admit(halfOpenMs)).toBe('probe');
    expect([one.admit(halfOpenMs), other.admit(halfOpenMs)]).toEqual([null, null]);
    one.report({ admission: 'probe', startedAtMs: halfOpenMs }, 'well', halfOpenMs + 5);
    expect(other.admit(halfOpenMs + 5)).toBe('normal');
    expect(other.sinceMs()).toBe(halfOpenMs + 5);
  });

  it('opens again when the probe fails, for twice as long, at most five seconds', () => {
    const { one } = newBreakers();
    let nowMs = openBy(one);
    const openedMs = one.sinceMs();
    const waits: number[] = [];
    for (let probe = 0; probe < 5; probe += 1) {
      waits.push(one.probeAtMs() - nowMs);
      nowMs = one.probeAtMs();
      expect(attempt(one, 'unwell', nowMs)).toBe('probe');
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(one.sinceMs()).toBe(openedMs);
  });

  it('lets a read that no other region can serve pass before its time, one at a time and ten a second at most', () => {
    const { one, other } = newBreakers();
    const openedMs = openBy(one);
    expect(one.admit(openedMs + 1, true)).toBe('probe');
    expect(other.admit(openedMs + 2, true)).toBeNull();
    one.report({ admission: 'probe', startedAtMs: openedMs + 1 }, 'unwell', openedMs + 3);
    expect(other.admit(openedMs + 102, true)).toBeNull();
    expect(other.admit(openedMs + 103)).toBeNull();
    expect(other.admit(openedMs + 103, true)).toBe('probe');
    other.report({ admission: 'probe', startedAtMs: openedMs + 103 }, 'well', openedMs + 104);
    expect(one.state(openedMs + 104)).toBe('closed');
  });

  it('gives the probe to another when whoever had it died', () => {
    const { one, other } = newBreakers();
    const halfOpenMs = openBy(one) + 1_000;
    expect(one.admit(halfOpenMs)).toBe('probe');
    expect(other.admit(halfOpenMs + 2_999)).toBeNull();
    expect(other.admit(halfOpenMs + 3_000)).toBe('probe');
  });

  it('probes, opens and closes on although the clock was set back an hour', () => {
    const { one } = newBreakers();
    const backMs = openBy(one) - 3_600_000;
    expect(one.admit(START + 1_600)).toBe('probe');
    expect(attempt(one, 'well', backMs)).toBe('probe');
    expect(one.state(backMs)).toBe('closed');
    for (let index = 0; index < 4; index += 1) attempt(one, 'unwell', START);
    attempt(one, 'unwell', backMs);
    expect(one.state(backMs)).toBe('open');
  });

  it('gives the probe on at once when it came to nothing', () => {
    const { one, other } = newBreakers();
    const halfOpenMs = openBy(one) + 1_000;
    expect(attempt(one, 'unclear', halfOpenMs)).toBe('probe');
    expect(other.admit(halfOpenMs)).toBe('probe');
  });

  it('closes when an attempt that was sent all the same is answered', () => {
    const { one } = newBreakers();
    const openedMs = openBy(one);
    one.report({ admission: 'forced', startedAtMs: openedMs }, 'unwell', openedMs + 1);
    expect(one.state(openedMs + 1)).toBe('open');
    one.report({ admission: 'forced', startedAtMs: openedMs }, 'well', openedMs + 2);
    expect(one.state(openedMs + 2)).toBe('closed');
  });

  it('takes no notice of what was sent before it opened', () => {
    const { one } = newBreakers();
    const openedMs = openBy(one);
    one.report({ admission: 'normal', startedAtMs: START }, 'well', openedMs + 1);
    expect(one.state(openedMs + 1)).toBe('open');
  });
});

describe('regions of one process', () => {
  it('have breakers of their own, also when many share the table', () => {
    const table = openRegionTable(allocateRegionTable());
    const slots = Array.from({ length: 60 }, (_, index) => slotOf(table, `https://region-${index}.example`));
    const offsets = new Set(slots.map(({ cells }) => cells.byteOffset));
    expect(offsets.size).toBe(60);
    expect(slotOf(table, 'https://region-7.example').cells.byteOffset).toBe(slots[7]?.cells.byteOffset);
  });
});
