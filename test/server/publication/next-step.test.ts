import { expect, it } from 'vitest';
import type { GatewayState } from '#server/contract/shell.ts';
import type { StandingGateway } from '#server/db/gateway-standing.ts';
import { nextStep, type RolloutFacts } from '#server/publication/next-step.ts';

const NOW = Date.UTC(2026, 0, 5, 12);

function gateway(name: string, state: GatewayState, lastHeardMs = NOW): StandingGateway {
  return {
    name,
    state,
    serves: 41,
    lastHeardMs,
    offered: null,
    answer: state === 'rejected' ? { state: 'rejected', atMs: NOW, reason: 'unknown kind "view"' } : null,
    row: {} as StandingGateway['row'],
  };
}

const rollout: RolloutFacts['rollout'] = {
  releaseNumber: 42,
  baseNumber: 41,
  stages: [['gw-a']],
  stage: 1,
  state: 'rolling',
  promotes: 'on evidence',
  afterSeconds: 60,
  narrows: false,
  stageLiveAtMs: NOW - 61_000,
  haltReason: null,
  turns: [],
};
const side = { gateways: [], requests: 0, failed: 0, refused: 0, p99Ms: null };
const evidence = (verdict: 'no worse' | 'worse' | 'not enough requests') =>
  ({ sinceMs: 0, untilMs: NOW, stage: side, others: side, verdict, says: `It is ${verdict}.` }) as const;

const step = (more: Omit<Partial<RolloutFacts>, 'rollout'> & { rollout?: Partial<RolloutFacts['rollout']> } = {}) =>
  nextStep({
    gateways: [gateway('gw-a', 'live'), gateway('gw-b', 'waiting')],
    evidence: evidence('no worse'),
    freeze: null,
    isSteady: true,
    nowMs: NOW,
    ...more,
    rollout: { ...rollout, ...more.rollout },
  });
const inStage = (...states: GatewayState[]) => ({
  gateways: [...states.map((state) => gateway('gw-a', state)), gateway('gw-b', 'waiting')],
});

it('opens the next stage once it was live long enough and nothing is worse', () => {
  expect(step()).toEqual({ kind: 'promote', why: 'It is no worse.' });
  expect(step({ rollout: { stageLiveAtMs: NOW - 20_000 } })).toEqual({
    kind: 'wait',
    why: 'Opens stage 2 of 2 in 40 s unless something gets worse. It is no worse.',
  });
  expect(step({ rollout: { stageLiveAtMs: null } }).kind).toBe('note live');
});

it('without enough requests waits five times as long, and says so', () => {
  const few = { evidence: evidence('not enough requests') };
  expect(step(few)).toEqual({
    kind: 'wait',
    why: 'It is not enough requests. Opens stage 2 of 2 in 4 min unless something gets worse.',
  });
  expect(step({ ...few, rollout: { stageLiveAtMs: NOW - 300_000 } }).kind).toBe('promote');
  expect(step({ evidence: null, rollout: { stageLiveAtMs: NOW - 300_000 } }).kind).toBe('promote');
});

it('halts on what is worse and on a rejection, by hand or not, frozen or not', () => {
  const freeze = { by: { id: 'o', name: 'Olga Ek' }, reason: 'Incident', sinceMs: NOW };
  for (const promotes of ['by hand', 'on evidence'] as const) {
    expect(step({ evidence: evidence('worse'), freeze, rollout: { promotes } })).toEqual({
      kind: 'halt',
      why: 'It is worse.',
    });
    expect(step({ ...inStage('rejected'), rollout: { promotes } })).toEqual({
      kind: 'halt',
      why: 'gw-a rejected it: unknown kind "view"',
    });
  }
  expect(step({ rollout: { state: 'halted', haltReason: 'It is worse.' } }).kind).toBe('wait');
});

it('opens no stage while frozen or by hand', () => {
  const freeze = { by: { id: 'o', name: 'Olga Ek' }, reason: 'Incident.', sinceMs: NOW };
  expect(step({ freeze }).why).toBe('Publishing is frozen by Olga Ek: Incident. So stage 2 of 2 stays closed.');
  expect(step({ rollout: { promotes: 'by hand' } }).why).toBe(
    'Waits for somebody to open stage 2 of 2. It is no worse.',
  );
});

it('waits for a gateway that applies it, and for one that is silent while the console was away', () => {
  expect(step(inStage('applying'))).toEqual({ kind: 'wait', why: 'Waits for gw-a to have it live.' });
  const silent = (sinceMs: number) => ({
    gateways: [gateway('gw-a', 'silent', NOW - sinceMs), gateway('gw-b', 'waiting')],
  });
  expect(step(silent(60_000)).why).toBe('Waits for gw-a, which is silent.');
  expect(step({ ...silent(600_000), isSteady: false }).why).toBe('Waits for gw-a, which is silent.');
  expect(step(silent(600_000)).kind).toBe('staff');
  expect(step({ gateways: [gateway('gw-b', 'waiting')] }).kind).toBe('staff');
  expect(step({ gateways: [] })).toEqual({ kind: 'wait', why: 'Waits for a gateway: none can take it.' });
});

it('is done when nobody is left to offer it to and all that are heard of have it', () => {
  const last = { rollout: { stage: 2 } };
  expect(step({ gateways: [gateway('gw-a', 'live'), gateway('gw-b', 'live')], ...last }).kind).toBe('done');
  expect(step({ gateways: [gateway('gw-a', 'live'), gateway('gw-b', 'silent')], ...last }).kind).toBe('done');
  expect(step({ gateways: [gateway('gw-a', 'live'), gateway('gw-b', 'behind')], ...last }).kind).toBe('wait');
  expect(step({ gateways: [gateway('gw-a', 'live')] }).kind).toBe('done');
});
