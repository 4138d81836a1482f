import { type Content, createContent } from '#gateway/content/create-content.ts';
import type { KeyPlace } from '#gateway/content/keys/key-folder.ts';
import type { KeyWrapping } from '#gateway/content/keys/key-wrapping.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { TenantName } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { ContentBinding, SealedContent } from '#gateway/pipeline/store-port.ts';
import { tempFolder } from '#test/support/temp-folder.ts';

export const chat = TenantName.parse('chat');
const binding: ContentBinding = { tenant: chat, pk: 'chat|Message|m1', itemId: 'o', type: 'Message', r: 1, timeMs: 1 };

/** Gateways that share a keys folder and a clock that the test moves. */
export interface Gateways {
  readonly place: KeyPlace;
  readonly clock: { nowMs: number };
  /** Sentences that operators were told. */
  readonly said: string[];
  /** Tenants of which a gateway let a key go. */
  readonly gone: string[];
  start(): Content;
}

export async function newGateways(wrapping?: KeyWrapping): Promise<Gateways> {
  const keysDir = await tempFolder();
  const clock = { nowMs: 1_700_000_000_000 };
  const said: string[] = [];
  const gone: string[] = [];
  const place = { keysDir, wrapping: wrapping ?? createMasterWrapping(keysDir) };
  const say = (sentence: string) => void said.push(sentence);
  const onKeyGone = (tenant: string) => void gone.push(tenant);
  const start = () => createContent({ ...place, now: () => clock.nowMs, say, onKeyGone });
  return { place, clock, said, gone, start };
}

/** Id of the key that a gateway seals with now, or the code of its refusal. */
export async function sealedWith(gateway: Content, text = 'hello'): Promise<string> {
  const sealed = await gateway.seal(binding, Buffer.from(text), 'text/plain');
  return isDenial(sealed) ? sealed.code : sealed.keyId;
}

export async function seal(gateway: Content, text = 'hello'): Promise<SealedContent> {
  const sealed = await gateway.seal(binding, Buffer.from(text), 'text/plain');
  if (isDenial(sealed)) throw new Error(`not sealed: ${sealed.code}`);
  return sealed;
}

/** The text, or the code of the refusal. */
export async function opened(gateway: Content, sealed: SealedContent): Promise<string> {
  const plain = await gateway.open(binding, sealed);
  return isDenial(plain) ? plain.code : Buffer.from(plain).toString();
}
