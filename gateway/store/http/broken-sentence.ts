/** Errors of a connection, by the code that Node, OpenSSL or undici gives them. `%` is the host and its port. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens on %.',
  ENOTFOUND: 'The name of % is not known; is COSMOS_ENDPOINT right?',
  EAI_AGAIN: 'The name of % could not be looked up; does name resolution work on this machine?',
  ENETUNREACH: 'There is no route to %.',
  EHOSTUNREACH: 'There is no route to %.',
  ETIMEDOUT: '% does not accept connections.',
  UND_ERR_CONNECT_TIMEOUT: '% does not accept connections; does a firewall drop them?',
  ECONNRESET: '% closed the connection before it answered.',
  EPIPE: '% closed the connection before it answered.',
  UND_ERR_SOCKET: '% closed the connection before it answered.',
  UND_ERR_HEADERS_TIMEOUT: '% did not answer in time.',
  UND_ERR_BODY_TIMEOUT: '% stopped in the middle of its answer.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: '% sent an answer of another length than it said.',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: '% sent an answer that is longer than any of Cosmos DB.',
  UND_ERR_HEADERS_OVERFLOW: '% sent an answer with too many headers.',
  CERT_HAS_EXPIRED: 'The certificate of % has expired.',
  CERT_NOT_YET_VALID: 'The certificate of % is not valid yet; is the clock of this machine right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of % is for another name.',
};

/** What OpenSSL says of a certificate whose issuer it does not know. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** A sentence for the operator about an exchange that brought no reply. It names the host, and no secret. */
export function brokenSentence(error: unknown, host: string): string {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : 'The connection failed.';
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return `What answers on ${host} does not speak HTTP as it should: ${text}`;
  }
  if (code === null) return text;
  if (UNTRUSTED.has(code)) {
    return `The certificate of ${host} has an unknown issuer (${code}); NODE_EXTRA_CA_CERTS names further issuers.`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return `${host} does not speak TLS as it should (${code}); is it https or http?`;
  }
  const sentence = SENTENCES[code];
  return sentence === undefined ? `${text} (${code})` : `${sentence.replace('%', host)} (${code})`;
}

/** Several addresses of one name may fail each in its own way: the first counts. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}
