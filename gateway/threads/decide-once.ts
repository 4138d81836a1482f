import type { PolicyPort } from '#gateway/pipeline/authorize.ts';
import { decisionKey, type PolicyAnswer } from '#gateway/policy/question.ts';
import type { Link } from './link.ts';

/** Asks the policy thread, once for all requests that wait for the same decision under the same release. */
export function createDecideOnce(link: Pick<Link, 'decide'>): PolicyPort {
  const waiting = new Map<string, Promise<PolicyAnswer>>();
  return {
    decide: (question, { sha256 }) => {
      const key = `${sha256}|${decisionKey(question)}`;
      const underway = waiting.get(key);
      if (underway !== undefined) return underway;
      const asked = link
        .decide(sha256, question)
        .then((answer) => {
          if (answer === null) throw new Error('The release was replaced twice while policy was asked.');
          return answer;
        })
        .finally(() => waiting.delete(key));
      waiting.set(key, asked);
      return asked;
    },
  };
}
