import * as real from '#gateway/store/points/sign-read.ts';

export const { signByToken } = real;

/** Signs once; the recorded upstream looks at no signature. */
export const signByKey: typeof real.signByKey = (key) => {
  const signed = real.signByKey(key);
  let kept: ReturnType<typeof signed> | null = null;
  return (...args) => {
    kept ??= signed(...args);
    return kept;
  };
};
