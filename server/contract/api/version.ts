/** Header by which a client and the console tell each other which API they speak. A browser sends none. */
export const API_HEADER = 'Habitat-Api';
/** The API of these sources. It grows when an older client would misread a reply or be refused. */
export const API_VERSION = 1;
/** The oldest client's API that the console still takes. */
export const OLDEST_API = 1;
/** Header of a creating or publishing request: the same key and body get the same reply for a day. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const IDEMPOTENCY_PATTERN = /^[\x21-\x7e]{1,128}$/;
