import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken } from '../../common/secrets/constant-time.js';
import { ServiceError } from '../../common/service-error.js';
import { findApiCall } from '../../executions/api-call.js';
import { AccessCache } from '../access-cache.js';
import { ApiKeys } from '../api-keys/api-keys.js';
import { type FlowCall, FlowCheck } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';

const MISSING = 'This needs the API key of its flow. Send it as Authorization: Bearer <key>.';

const WRONG =
  'The API key is not valid here. Check that it is complete and belongs to this flow, or ask the owner of the flow for a new one.';

/**
 * 401: the call lacks the key of the flow or record. The sentence distinguishes a missing key from a wrong one. Never
 * counts toward the address block (description section 5).
 */
export class InvalidApiKey extends ServiceError {
  constructor({ headers }: Pick<Request, 'headers'>) {
    const sentence = bearerToken(headers.authorization) === undefined ? MISSING : WRONG;
    super('invalid_api_key', sentence, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** Accepts only a keyed flow's own key. An open flow ignores `Authorization`. */
@Injectable()
export class ApiKeyGuard extends FlowCheck {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly accessCache: AccessCache,
    private readonly rateLimit: FlowRateLimit,
  ) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    const apiKeyId = call.flow?.access.apiKeyId ?? null;
    if (apiKeyId === null || call.options.key === false) return;
    if (!(await this.carriesKey(call, apiKeyId))) {
      await this.rateLimit.announce(call);
      throw new InvalidApiKey(call.request);
    }
    call.apiKeyId = apiKeyId;
    const apiCall = findApiCall(call.request);
    if (apiCall) apiCall.caller = { ...apiCall.caller, apiKeyId };
  }

  /** Reads the key on its own if the flow was given another one since this process last read it. */
  private async carriesKey(call: FlowCall, apiKeyId: string): Promise<boolean> {
    const token = bearerToken(call.request.headers.authorization);
    if (token === undefined) return false;
    const { keyId, keyHash } = await this.accessCache.read(call);
    return keyId === apiKeyId
      ? this.apiKeys.matches(apiKeyId, keyHash, token)
      : this.apiKeys.opens(apiKeyId, token);
  }
}
