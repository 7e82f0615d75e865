import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { InvalidRequest } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { whoIs } from '../../executions/calls/call-key.js';
import type { Caller } from '../../executions/execution.js';
import { ExecutionEntity } from '../../executions/log/execution.entity.js';

/** The chat of an earlier response, and the execution that gave it. */
export interface PreviousResponse {
  chatId: string;
  executionId: string;
}

const RESPONSE_ID = /^resp_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Responses that later ones go on from: a response is as old as its record, and is gone with it. */
@Injectable()
export class PreviousResponses {
  constructor(private readonly reader: DatabaseReader) {}

  /**
   * Found within its flow and for whoever asked for it: the holder of the same key, on an open flow the same address
   * (contract section 12). 400 for any other, so that nobody learns of the responses of others.
   */
  async find(responseId: string, flowId: string, caller: Caller): Promise<PreviousResponse> {
    const [, ...parts] = RESPONSE_ID.exec(responseId) ?? [];
    const id = parts.join('-');
    const asked = { id, flowId, kind: 'prediction' as const, status: In(['succeeded', 'waiting']) };
    const found = id === '' ? null : await this.reader.repository(ExecutionEntity).findOneBy(asked);
    const { callerAddress, callerApiKeyId, chatId } = found ?? {};
    const who = {
      address: callerAddress ?? '',
      ...(callerApiKeyId == null ? {} : { apiKeyId: callerApiKeyId }),
    };
    if (chatId == null || whoIs(who) !== whoIs(caller)) throw unknownResponse();
    return { chatId, executionId: id };
  }
}

const unknownResponse = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'previous_response_id', message: 'names no response of this model that this caller was given' },
  ]);
