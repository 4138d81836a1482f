/** A stage that the bench can switch off: each file of the gateway, and what is loaded in its place. */
export interface Off {
  readonly name: string;
  /** What is left out, as the report says it. */
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
}

export const OFF: readonly Off[] = [
  { name: 'policy', what: 'decisions of policy', files: { 'pipeline/authorize.ts': 'authorize.ts' } },
  { name: 'quota', what: 'quota: taking and settling', files: { 'quota/quota.ts': 'quota.ts' } },
  {
    name: 'telemetry',
    what: 'counts and sampled records',
    files: { 'telemetry/series.ts': 'series.ts', 'telemetry/sample.ts': 'sample.ts' },
  },
  { name: 'session', what: 'sealing the session header', files: { 'sealed/session.ts': 'session.ts' } },
  { name: 'content', what: 'checksums and decryption', files: { 'content/create-content.ts': 'content.ts' } },
  {
    name: 'signature',
    what: 'signing the request to the store',
    files: { 'store/points/sign-read.ts': 'sign-read.ts' },
  },
  { name: 'upstream', what: 'the exchange with the store', files: { 'store/http/send-metered.ts': 'send-metered.ts' } },
];
