import { definitionHref } from '#components/definitions/kind-words.ts';
import { plural } from '#components/ui/format-number.ts';
import { Sentence } from '#components/ui/sentence.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { actionsInSentence } from './actions-words.ts';

const NAMED = 3;

/** *Who may use it*, decided under the target release: up to three principals by name, those with the same rights together, the rest as a count. */
export function UsersSentence({ detail }: { readonly detail: DefinitionDetail }) {
  const { users, removed } = detail;
  if (removed !== null) return <Sentence>Every request for it is refused as unknown_type.</Sentence>;
  if (users.length === 0) {
    return <Sentence>No policy lets any principal use it: every request for it is refused as forbidden.</Sentence>;
  }
  const rest = users.length - NAMED;
  const groups = Map.groupBy(users.slice(0, NAMED), ({ actions }) => actionsInSentence(actions));
  return (
    <Sentence>
      {[...groups].map(([may, group], at) => (
        <span key={may}>
          {at > 0 && '; '}
          {group.map((user, index) => (
            <span key={`${user.tenant}/${user.principal}`}>
              {index > 0 && (index === group.length - 1 ? ' and ' : ', ')}
              <Token kind="principal" href={definitionHref('principal', user.principal)}>
                {user.principal}
              </Token>
            </span>
          ))}{' '}
          may {may}
        </span>
      ))}
      {rest > 0 && `; ${plural(rest, 'other principal')} may use it`}.
    </Sentence>
  );
}
