import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { OpenAiModelsView } from '../../api/openai.js';
import { ApiKeys } from '../../auth/api-keys/api-keys.js';
import { isThereFor } from '../../auth/flow-call.js';
import { allowsPage } from '../../auth/guards/allowed-domains.guard.js';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { AppConfig } from '../../common/app-config.js';
import { bearerToken } from '../../common/secrets/constant-time.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { OPENAI_ACCESS } from './openai-calls.js';

/** Lists the flows that a caller can use as models (contract section 12). */
@Injectable()
export class OpenAiModels {
  constructor(
    private readonly flows: FlowStore,
    private readonly keys: ApiKeys,
    private readonly config: AppConfig,
  ) {}

  /**
   * Lists the flows opened by the caller's key and the open flows that are offered, if the calling page may call them.
   * Throws 401 for a key that opens nothing.
   */
  async list(request: Request): Promise<OpenAiModelsView['data']> {
    const token = bearerToken(request.headers.authorization);
    const keyId = token === undefined ? null : await this.keys.idOf(token);
    const all = await this.flows.listed();
    const keyed = keyId === null ? [] : all.filter(({ flow }) => flow.access.apiKeyId === keyId);
    if (token !== undefined && keyed.length === 0) throw new InvalidApiKey(request);
    const open = all.filter(({ flow }) => flow.access.apiKeyId === null && isThereFor(flow, OPENAI_ACCESS));
    return [...keyed, ...open]
      .filter(({ flow }) => allowsPage(flow, request, this.config))
      .map(({ flow: { id, name }, createdAt }) => ({
        id,
        object: 'model',
        created: Math.floor(createdAt / 1000),
        owned_by: 'flows',
        name,
      }));
  }
}
