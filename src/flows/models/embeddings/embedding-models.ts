import { Injectable } from '@nestjs/common';
import { isAway } from '../../../database/away.js';
import { LanguageModels } from '../language-models.js';
import { ModelError } from '../model-error.js';
import { addressOf } from '../model-providers.js';
import type { EmbeddingModel, EmbeddingSettings } from './embedding-model.js';
import { HttpEmbeddingModel } from './http-embedding-model.js';

/** The embedding model of a document store. */
export interface EmbeddingChoice extends Omit<EmbeddingSettings, 'apiKey'> {
  credentialId?: string | undefined;
}

/** Opens embedding models. */
@Injectable()
export class EmbeddingModels {
  constructor(private readonly models: LanguageModels) {}

  /** Opens a model. Rejects with a `ModelError` when its credential is missing. */
  async openModel({ credentialId, ...settings }: EmbeddingChoice): Promise<EmbeddingModel> {
    const apiKey = await this.models.keyFor(settings, credentialId).catch((error: unknown) => {
      throw isAway(error) ? error : new ModelError('rejected', (error as Error).message, { cause: error });
    });
    return new HttpEmbeddingModel({ ...settings, apiKey }, addressOf(settings));
  }
}
