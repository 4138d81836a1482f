import { definitionHref } from '#components/definitions/kind-words.ts';
import { plural } from '#components/ui/format-number.ts';
import { Sentence } from '#components/ui/sentence.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { actionsInSentence } from './actions-words.ts';

const NAMED = 3;

/** *Who may use it*, decided under the target release: up to three principals by name, the rest as a count. */
export function UsersSentence({ detail }: { readonly detail: DefinitionDetail }) {
  const { users, removed } = detail;
  if (removed !== null) return <Sentence>Every request for it is refused as unknown_type.</Sentence>;
  if (users.length === 0) {
    return <Sentence>No policy lets any principal use it: every request for it is refused as forbidden.</Sentence>;
  }
  const rest = users.length - NAMED;
  return (
    <Sentence>
      {users.slice(0, NAMED).map((user, index) => (
        <span key={`${user.tenant}/${user.principal}`}>
          {index > 0 && (index === users.length - 1 ? ' and ' : ', ')}
          <Token kind="principal" href={definitionHref('principal', user.principal)}>
            {user.principal}
          </Token>{' '}
          may {actionsInSentence(user.actions)}
        </span>
      ))}
      {rest > 0 && ` and ${plural(rest, 'other principal')} may use it`}.
    </Sentence>
  );
}
