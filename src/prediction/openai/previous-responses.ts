import { In } from 'typeorm';
import { InvalidRequest } from '../../common/service-error.js';
import type { SqlReader } from '../../database/tx.js';
import { whoIs } from '../../executions/calls/call-key.js';
import type { Caller } from '../../executions/execution.js';
import { ExecutionEntity } from '../../executions/log/execution.entity.js';

/** The chat and execution of an earlier response. */
export interface PreviousResponse {
  chatId: string;
  executionId: string;
}

const RESPONSE_ID = /^resp_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/**
 * Returns a response of this flow to the caller who got it: by the same key, or on an open flow from the same address
 * (contract section 12). Throws 400 otherwise, so that nobody learns of others' responses.
 */
export async function findPreviousResponse(
  reader: SqlReader,
  responseId: string,
  flowId: string,
  caller: Caller,
): Promise<PreviousResponse> {
  const [, ...parts] = RESPONSE_ID.exec(responseId) ?? [];
  const id = parts.join('-');
  const asked = { id, flowId, kind: 'prediction' as const, status: In(['succeeded', 'waiting']) };
  const found = id === '' ? null : await reader.repository(ExecutionEntity).findOneBy(asked);
  const { callerAddress, callerApiKeyId, chatId } = found ?? {};
  const who = {
    address: callerAddress ?? '',
    ...(callerApiKeyId == null ? {} : { apiKeyId: callerApiKeyId }),
  };
  if (chatId == null || whoIs(who) !== whoIs(caller)) throw unknownResponse();
  return { chatId, executionId: id };
}

const unknownResponse = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'previous_response_id', message: 'names no response of this model to this caller' },
  ]);
