import 'server-only';
import { z } from 'zod';

/** What the console reads from its environment, once, at its composition root. */
export interface ConsoleEnv {
  readonly databaseUrl: string;
  /** Address under which browsers reach the console, without a slash at the end. */
  readonly consoleUrl: string;
  readonly authSecret: string;
  readonly installationName: string;
  readonly homeFolder: string;
  /** One-click demo users exist. */
  readonly isEmbedded: boolean;
  readonly signingKeyFile: string;
  readonly gatewayTokenFile: string | undefined;
  /** Where snippets send requests. */
  readonly gatewayUrl: string;
  readonly oidc: OidcEnv | undefined;
  /** Where faults of the local Cosmos endpoint are switched; undefined when none runs here. */
  readonly localCosmos: LocalCosmosEnv | undefined;
  /** Members of this group of the OIDC issuer are admins. */
  readonly adminGroup: string | undefined;
}

export interface LocalCosmosEnv {
  readonly adminUrl: string;
  /** Read at each call, so that a new token works without a restart. */
  readonly adminTokenFile: string;
}

export interface OidcEnv {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly displayName: string;
  /** Undefined: the usual ones, and `groups` where the issuer knows it. */
  readonly scopes: string | undefined;
  readonly groupsClaim: string;
}

/** The environment is wrong. The message is one sentence for the person who starts the console. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/**
 * Parses the environment. Throws EnvError naming the first variable that is missing or wrong.
 */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): ConsoleEnv {
  const parsed = Variables.safeParse(dropEmpty(source));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new EnvError(`${issue?.path.join('.') ?? 'The environment'}: ${issue?.message ?? 'is wrong.'}`);
  }
  const vars = parsed.data;
  return {
    databaseUrl: vars.DATABASE_URL,
    consoleUrl: vars.NEXTAUTH_URL.replace(/\/+$/, ''),
    authSecret: vars.NEXTAUTH_SECRET,
    installationName: vars.HABITAT_NAME,
    homeFolder: vars.HABITAT_HOME,
    isEmbedded: vars.HABITAT_EMBEDDED === '1',
    signingKeyFile: vars.HABITAT_SIGNING_KEY_FILE ?? `${vars.HABITAT_HOME}/signing-key.json`,
    gatewayTokenFile: vars.HABITAT_GATEWAY_TOKEN_FILE,
    gatewayUrl: vars.HABITAT_GATEWAY_URL.replace(/\/+$/, ''),
    oidc: oidcOf(vars),
    localCosmos: localCosmosOf(vars),
    adminGroup: vars.HABITAT_ADMIN_GROUP,
  };
}

const httpUrl = z.url({ protocol: /^https?$/, error: 'is not an http or https address.' });

const Variables = z.object({
  DATABASE_URL: z
    .string('is not set: the console needs a PostgreSQL connection string.')
    .regex(/^postgres(ql)?:\/\//, 'does not start with postgresql://.'),
  NEXTAUTH_URL: httpUrl.default('http://localhost:3000'),
  NEXTAUTH_SECRET: z.string('is not set: sessions need a secret.').min(32, 'has fewer than 32 characters.'),
  HABITAT_NAME: z.string().max(40, 'has more than 40 characters.').default('LOCAL'),
  HABITAT_HOME: z.string().default('.habitat'),
  HABITAT_EMBEDDED: z.enum(['0', '1'], 'is neither 0 nor 1.').default('0'),
  HABITAT_SIGNING_KEY_FILE: z.string().optional(),
  HABITAT_GATEWAY_TOKEN_FILE: z.string().optional(),
  HABITAT_GATEWAY_URL: httpUrl.default('http://127.0.0.1:4000'),
  HABITAT_ADMIN_GROUP: z.string().optional(),
  COSMOS_ADMIN_URL: httpUrl.optional(),
  COSMOS_ADMIN_TOKEN_FILE: z.string().optional(),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40).default('your organisation'),
  OIDC_SCOPES: z.string().optional(),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
});

function oidcOf(vars: z.infer<typeof Variables>): OidcEnv | undefined {
  if (vars.OIDC_ISSUER === undefined) return undefined;
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = vars;
  if (clientId === undefined) throw new EnvError('OIDC_CLIENT_ID: is not set, but OIDC_ISSUER is.');
  if (clientSecret === undefined) throw new EnvError('OIDC_CLIENT_SECRET: is not set, but OIDC_ISSUER is.');
  return {
    issuer: vars.OIDC_ISSUER.replace(/\/+$/, ''),
    clientId,
    clientSecret,
    displayName: vars.OIDC_NAME,
    scopes: vars.OIDC_SCOPES,
    groupsClaim: vars.OIDC_GROUPS_CLAIM,
  };
}

function localCosmosOf(vars: z.infer<typeof Variables>): LocalCosmosEnv | undefined {
  if (vars.COSMOS_ADMIN_URL === undefined) return undefined;
  const { COSMOS_ADMIN_TOKEN_FILE: adminTokenFile } = vars;
  if (adminTokenFile === undefined) {
    throw new EnvError('COSMOS_ADMIN_TOKEN_FILE: is not set, but COSMOS_ADMIN_URL is.');
  }
  return { adminUrl: vars.COSMOS_ADMIN_URL.replace(/\/+$/, ''), adminTokenFile };
}

/** A variable set to nothing counts as not set, as shells and compose files do it. */
function dropEmpty(source: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
}
