/** The service's own names for statuses, as clients find them in `body.code`. */
const CODES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'RequestEntityTooLarge',
  424: 'FailedDependency',
  429: '429',
  449: 'RetryWith',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

export const codeOf = (status: number): string => CODES[status] ?? 'Unknown';

interface CosmosErrorOptions {
  readonly subStatus?: number;
  readonly retryAfterMs?: number;
  /** RU that the refused attempt still costs. */
  readonly charge?: number;
}

/** A refusal in the service's terms. Thrown anywhere below the router; one place turns it into a reply. */
export class CosmosError extends Error {
  readonly status: number;
  readonly subStatus: number;
  readonly retryAfterMs: number | undefined;
  readonly charge: number;

  constructor(status: number, message: string, options: CosmosErrorOptions = {}) {
    super(message);
    this.name = 'CosmosError';
    this.status = status;
    this.subStatus = options.subStatus ?? 0;
    this.retryAfterMs = options.retryAfterMs;
    this.charge = options.charge ?? 1;
  }
}

/** What the service says, and charges, when a partition is over its budget. */
export const RATE_IS_LARGE =
  '{"Errors":["Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429"]}';
export const THROTTLED_RU = 0.38;

export const badRequest = (message: string, subStatus = 0): CosmosError => new CosmosError(400, message, { subStatus });

export const notFound = (what: string): CosmosError =>
  new CosmosError(404, `${what} does not exist in the collection or account.`);
