import { FaultEffect, type FaultOperation, type NewFault } from '#gateway/contract/local-cosmos.ts';
import { FILTERS_OF } from '#server/contract/cosmos.ts';
import { ANSWERS } from './effect-words.ts';

/** The form of a fault as it is typed: text everywhere. */
export interface FaultValues {
  readonly effect: FaultEffect['kind'];
  readonly account: string;
  /** Empty: every region. */
  readonly region: string;
  /** Empty: all of them. */
  readonly operations: readonly FaultOperation[];
  readonly partition: string;
  readonly percent: string;
  readonly times: string;
  /** One of ANSWERS, or `other`. */
  readonly answer: string;
  readonly status: string;
  readonly subStatus: string;
  readonly retryAfterMs: string;
  /** Of the operation in a batch, from 1. */
  readonly position: string;
  readonly delayMs: string;
  readonly perQueuedMs: string;
  readonly lagMs: string;
  readonly replicas: string;
}

export type FaultField = keyof FaultValues;
type Errors = Readonly<Partial<Record<FaultField, string>>>;
export type ReadFault = { readonly fault: NewFault } | { readonly errors: Errors };

export const FIRST_VALUES: FaultValues = {
  effect: 'refuse',
  account: '',
  region: '',
  operations: [],
  partition: '',
  percent: '100',
  times: '',
  answer: '503',
  status: '503',
  subStatus: '0',
  retryAfterMs: '',
  position: '1',
  delayMs: '1000',
  perQueuedMs: '',
  lagMs: '5000',
  replicas: '1',
};

type EffectField = 'answer' | 'status' | 'retryAfterMs' | 'position' | 'delayMs' | 'perQueuedMs' | 'lagMs' | 'replicas';

/** Fields that say more about an effect, in the order of the form. */
export const EFFECT_FIELDS: Readonly<Record<FaultEffect['kind'], readonly EffectField[]>> = {
  refuse: [],
  reset: [],
  hang: [],
  slow: ['delayMs', 'perQueuedMs'],
  status: ['answer', 'retryAfterMs'],
  batchStatus: ['answer', 'position', 'retryAfterMs'],
  html: ['status'],
  empty: ['status'],
  commitThenReset: [],
  delayedDelivery: ['delayMs'],
  lag: ['lagMs'],
  replicaLag: ['replicas', 'lagMs'],
  keepExpired: [],
};

const MAX_MS = 600_000;

/** The fault that the form describes, or what is wrong beside each field. Fields that the effect does not take count as empty. */
export function readFault(values: FaultValues): ReadFault {
  const errors: Partial<Record<FaultField, string>> = {};
  const number = (field: FaultField, bounds: Bounds) => readNumber(values, { field, errors, ...bounds });
  const filters = FILTERS_OF[values.effect];
  const percent = filters.includes('percent') ? number('percent', { min: 0, max: 100, whole: false }) : 100;
  if (percent === 0) errors.percent = 'More than 0: a share of 0 meets nothing.';
  const times = filters.includes('times') ? number('times', { min: 1, max: 1_000_000, empty: 'none' }) : null;
  const effect = readEffect(values, number);
  if (Object.keys(errors).length > 0) return { errors };
  const operations = filters.includes('operations') ? values.operations : [];
  const partition = filters.includes('partition') ? values.partition.trim() : '';
  return {
    fault: {
      ...(values.account === '' ? {} : { account: values.account }),
      ...(values.region === '' ? {} : { region: values.region }),
      ...(operations.length === 0 ? {} : { operations: [...operations] }),
      ...(partition === '' ? {} : { partition }),
      percent: percent ?? 100,
      ...(times === null ? {} : { times }),
      effect: FaultEffect.parse(effect),
    },
  };
}

/** The form's field for a path of the server's input: `effect.delayMs` → `delayMs`. */
export function fieldOfPath(path: string): FaultField | undefined {
  const name = path.replace(/^effect\./, '').split('.')[0] ?? '';
  if (name === 'index') return 'position';
  return isField(name) ? name : undefined;
}

function isField(name: string): name is FaultField {
  return Object.hasOwn(FIRST_VALUES, name);
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** What an empty field means: it must be filled in (the default), or `none`. */
  readonly empty?: 'none';
  readonly whole?: boolean;
}
type ReadNumber = (field: FaultField, bounds: Bounds) => number | null;

/** Parts of an effect; its own schema makes it whole. */
function readEffect(values: FaultValues, number: ReadNumber): object {
  const { effect: kind } = values;
  const of = (fields: object) => ({ kind, ...fields });
  const delayMs = () => number('delayMs', { min: 0, max: MAX_MS }) ?? 0;
  switch (kind) {
    case 'slow':
      return of({
        delayMs: delayMs(),
        perQueuedMs: number('perQueuedMs', { min: 0, max: MAX_MS, empty: 'none' }) ?? 0,
      });
    case 'delayedDelivery':
      return of({ delayMs: delayMs() });
    case 'status':
    case 'batchStatus':
      return of(readAnswer(values, number));
    case 'html':
    case 'empty':
      return of({ status: number('status', { min: 200, max: 599 }) ?? 503 });
    case 'lag':
      return of({ lagMs: number('lagMs', { min: 1, max: MAX_MS, empty: 'none' }) });
    case 'replicaLag':
      return of({
        lagMs: number('lagMs', { min: 1, max: MAX_MS, empty: 'none' }),
        replicas: number('replicas', { min: 1, max: 4 }) ?? 1,
      });
    default:
      return of({});
  }
}

function readAnswer(values: FaultValues, number: ReadNumber): object {
  const retryAfterMs = number('retryAfterMs', { min: 0, max: MAX_MS, empty: 'none' });
  const preset = ANSWERS.find(({ value }) => value === values.answer);
  const status = preset?.status ?? number('status', { min: 400, max: 599 }) ?? 503;
  if (values.effect === 'batchStatus') {
    return { status, index: (number('position', { min: 1, max: 100 }) ?? 1) - 1, retryAfterMs };
  }
  const subStatus = preset?.subStatus ?? number('subStatus', { min: 0, max: 65_535 }) ?? 0;
  return { status, subStatus, retryAfterMs };
}

/** The number of a field; null when it is empty and may be, or when it is wrong and `errors` says how. */
function readNumber(
  values: FaultValues,
  of: Bounds & { readonly field: FaultField; readonly errors: Partial<Record<FaultField, string>> },
): number | null {
  const { field, errors, min, max, whole = true } = of;
  const text = String(values[field]).trim();
  if (text === '' && of.empty === 'none') return null;
  const value = text === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'A whole number' : 'A number';
  errors[field] = `${kind} from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`;
  return null;
}
