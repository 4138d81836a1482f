import { describe, expect, it } from 'vitest';
import { EFFECT_CHOICES } from '#components/cosmos/effect-words.ts';
import { type FaultValues, FIRST_VALUES, fieldOfPath, readFault } from '#components/cosmos/fault-values.ts';
import { SwitchOnFault } from '#server/contract/cosmos.ts';

const read = (more: Partial<FaultValues> = {}) => readFault({ ...FIRST_VALUES, ...more });

describe('the form of a fault', () => {
  it.each(EFFECT_CHOICES)('opens on $value as a fault that the console takes', ({ value }) => {
    const told = read({ effect: value });
    expect('fault' in told && SwitchOnFault.safeParse(told.fault).success).toBe(true);
  });

  it('says what an empty field means, and nothing of what the effect does not take', () => {
    expect(read({ operations: ['read'], partition: 'chat|Message|m1', percent: '5', times: '3' })).toEqual({
      fault: { percent: 100, effect: { kind: 'refuse' } },
    });
    expect(read({ effect: 'hang' })).toEqual({ fault: { percent: 100, effect: { kind: 'hang' } } });
    expect(read({ effect: 'lag', lagMs: '' })).toMatchObject({ fault: { effect: { lagMs: null } } });
  });

  it('reads every field that the effect takes', () => {
    const narrowed = {
      region: 'West',
      operations: ['batch'],
      partition: ' chat|Message|m1 ',
      percent: '0.5',
      times: '3',
    };
    const told = read({ ...narrowed, effect: 'status', answer: '429', retryAfterMs: '50' } as Partial<FaultValues>);
    expect(told).toEqual({
      fault: {
        region: 'West',
        operations: ['batch'],
        partition: 'chat|Message|m1',
        percent: 0.5,
        times: 3,
        effect: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 50 },
      },
    });
    const batch = read({ effect: 'batchStatus', answer: 'other', status: '412', position: '3' });
    expect(batch).toMatchObject({ fault: { effect: { kind: 'batchStatus', status: 412, index: 2 } } });
    const slow = read({ effect: 'slow', delayMs: '200', perQueuedMs: '5' });
    expect(slow).toMatchObject({ fault: { effect: { kind: 'slow', delayMs: 200, perQueuedMs: 5 } } });
    const replicas = read({ effect: 'replicaLag', replicas: '2', lagMs: '900' });
    expect(replicas).toMatchObject({ fault: { effect: { replicas: 2, lagMs: 900 } } });
  });

  it('says beside each field what is wrong there, all at once', () => {
    const wrong = read({ effect: 'slow', delayMs: '', perQueuedMs: 'much', percent: '0', times: '1.5' });
    expect(wrong).toEqual({
      errors: {
        delayMs: 'A whole number from 0 to 600,000.',
        perQueuedMs: 'A whole number from 0 to 600,000.',
        percent: 'More than 0: a share of 0 meets nothing.',
        times: 'A whole number from 1 to 1,000,000.',
      },
    });
    expect(read({ effect: 'hang', percent: '101' })).toEqual({ errors: { percent: 'A number from 0 to 100.' } });
    expect(read({ effect: 'lag', lagMs: '0' })).toMatchObject({ errors: { lagMs: expect.any(String) } });
    expect(read({ effect: 'html', status: '99' })).toMatchObject({ errors: { status: expect.any(String) } });
  });

  it('finds the field of what the server says', () => {
    expect(['region', 'effect.delayMs', 'effect.index', 'operations.0', 'nothing'].map(fieldOfPath)).toEqual([
      'region',
      'delayMs',
      'position',
      'operations',
      undefined,
    ]);
  });
});
