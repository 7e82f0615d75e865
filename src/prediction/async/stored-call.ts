import { deserialize, serialize } from 'node:v8';
import type { PredictionBody } from '../prediction-body.js';
import type { PredictionCall } from '../prediction-call.js';

/** Everything of a call that a process which did not receive it needs to run it. */
export interface StoredCall {
  body: PredictionBody;
  chatId: string;
  sessionId: string;
  seesFailures: boolean;
  apiKeyId: string | undefined;
  publicUrl: string;
  paid: boolean;
}

/** With Maps and the bytes of uploads as they are; a later version of Node reads what an earlier one wrote. */
export function storedCallOf(call: PredictionCall): Buffer {
  const { body, chatId, sessionId, seesFailures, apiKeyId, publicUrl, paid = false } = call;
  const stored: StoredCall = { body, chatId, sessionId, seesFailures, apiKeyId, publicUrl, paid };
  return serialize(stored);
}

export const readStoredCall = (bytes: Buffer): StoredCall => deserialize(bytes) as StoredCall;
