import { type Denial, deny } from './denial.ts';
import type { EdgeTypeEntry, LifecycleEntry, ObjectTypeEntry } from './indexes.ts';
import type { Target } from './resolve.ts';
import type { Trace } from './trace.ts';

/**
 * Notes in the trace which types of the request are deprecated, so that the reply says it. Runs after policy: what a type is
 * to be replaced by is for those who may use it. Refuses with `type_deprecated` when requests for one are no longer served.
 */
export function retire({ objectType, touches }: Target, trace: Trace): Denial | null {
  const types = [...touches.map(({ type }) => type), objectType];
  for (const { lifecycle } of types) if (lifecycle !== null) trace.deprecated.add(lifecycle.header);
  const refused = types.find(isRefused);
  return refused === undefined ? null : refusal(refused.name, refused.lifecycle);
}

type Retired = (ObjectTypeEntry | EdgeTypeEntry) & { readonly lifecycle: LifecycleEntry };

function isRefused(type: ObjectTypeEntry | EdgeTypeEntry): type is Retired {
  return type.lifecycle?.isRefused === true;
}

function refusal(name: string, { since, sunset, replacement }: LifecycleEntry): Denial {
  const instead = replacement === null ? '' : ` Instead: ${replacement}`;
  const message = `${name} is deprecated since ${since} and no longer served.${instead}`;
  return deny('type_deprecated', message, { details: { type: name, since, sunset, replacement } });
}
