import type { NewFault } from '#gateway/contract/local-cosmos.ts';
import { faultSentence } from '#server/contract/fault-words.ts';

/** The sentence of a fault for a page: a figure and its unit stay on one line. */
export function faultText(fault: NewFault): string {
  return faultSentence(fault).replace(/(\d) (ms|s|min|%)(?![\w|])/g, '$1\u00a0$2');
}
