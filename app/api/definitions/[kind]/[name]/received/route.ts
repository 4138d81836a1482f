import { handle } from '#server/http/handle.ts';
import { ReceivedInput, received } from '#server/telemetry/received.ts';

export const GET = handle(ReceivedInput, received);
