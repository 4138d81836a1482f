import type { TenantName } from '#gateway/contract/ids.ts';

/** Which data key of which tenant. */
export interface KeyAddress {
  readonly tenant: TenantName;
  readonly keyId: string;
}

/** A data key encrypted by a key that only its provider holds. */
export interface WrappedKey {
  /** base64. */
  readonly wrapped: string;
  /** Full id of the key in Azure Key Vault that encrypted it, version included; absent for the folder's master key. */
  readonly vaultKey?: string | undefined;
}

/**
 * What keeps data keys unreadable at rest: the master key of the folder, or Azure Key Vault. Everything here rejects with
 * `KeyProblem` when the key cannot be had; data keys are 32 bytes.
 */
export interface KeyWrapping {
  wrap(address: KeyAddress, dataKey: Buffer): Promise<WrappedKey>;
  unwrap(address: KeyAddress, key: WrappedKey): Promise<Buffer>;
  /** Destroys whatever the provider keeps for this tenant alone. Resolves with a sentence that says it, null for nothing. */
  destroy(tenant: TenantName): Promise<string | null>;
}

/** Why a key cannot be had: a sentence for operators, never for callers. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem';
}
