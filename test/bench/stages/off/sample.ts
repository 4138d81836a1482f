import type * as Real from '#gateway/telemetry/sample.ts';

export const createSample: typeof Real.createSample = () => ({ offer: () => undefined, drain: () => [] });
