import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { ModelProvider } from '../../api/model-provider-terms.js';
import { AppConfig } from '../../common/app-config.js';
import { Logger } from '../../common/logger.js';
import { ServiceError } from '../../common/service-error.js';
import { CredentialSource } from '../credentials/credential-source.js';
import type { LanguageModel, ModelSettings } from './language-model.js';
import { maskedModel } from './masked-model.js';
import { modelOf, type OpenableModel, opensWithoutKey } from './model-providers.js';

/** A node's model; without one, `DEFAULT_MODEL_*` applies. */
export interface ModelChoice extends Omit<ModelSettings, 'apiKey'> {
  credentialId?: string | undefined;
}

const MOST_MODELS = 200;

/** Causes that were logged; beyond that, a cause may be logged again. */
const MOST_WARNED = 200;

/** Opens the models of flows, with one cached object for each set of settings. */
@Injectable()
export class LanguageModels implements OnApplicationBootstrap {
  private readonly models = new Map<string, OpenableModel>();
  private readonly warned = new Set<string>();

  constructor(
    private readonly config: AppConfig,
    private readonly credentials: CredentialSource,
    private readonly logger: Logger,
  ) {}

  /** Loads the client of the default model once the service is up, so that its first call does not wait. */
  onApplicationBootstrap(): void {
    if (this.config.defaultModel.name === undefined) return;
    const warm = setTimeout(() => {
      this.modelFor(this.defaultSettings())
        .open()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'the default model could not be loaded'));
    }, 200);
    warm.unref();
  }

  /**
   * Returns a model that is opened when it is first asked: a node whose answer is in the journal, or in the recording of a
   * case, needs neither its credential nor its key.
   */
  model(choice: ModelChoice | undefined): LanguageModel {
    let opening: Promise<LanguageModel> | undefined;
    return {
      ask: async (request, signal, emit) =>
        (await (opening ??= this.openModel(choice))).ask(request, signal, emit),
    };
  }

  /**
   * Opens a model. Throws with a sentence for the flow's owner that names the missing variable or credential, and logs it
   * once per cause.
   */
  async openModel(choice: ModelChoice | undefined): Promise<LanguageModel> {
    try {
      const settings = choice ? await this.settingsOf(choice) : this.defaultSettings();
      if (settings.apiKey === undefined && !opensWithoutKey(settings))
        throw new Error(keyMissing(settings, choice));
      return this.modelFor(settings);
    } catch (error) {
      if (!(error instanceof ServiceError)) this.warnOnce((error as Error).message);
      throw error;
    }
  }

  private async settingsOf({ credentialId, ...settings }: ModelChoice): Promise<ModelSettings> {
    return { ...settings, apiKey: await this.keyFor(settings, credentialId) };
  }

  private warnOnce(cause: string): void {
    if (this.warned.has(cause)) return;
    if (this.warned.size >= MOST_WARNED) this.warned.clear();
    this.warned.add(cause);
    this.logger.warn({ cause }, 'a flow cannot open its model');
  }

  private modelFor(settings: ModelSettings): OpenableModel {
    const key = JSON.stringify(settings);
    let model = this.models.get(key);
    if (!model) {
      model = maskedModel(modelOf(settings), settings.apiKey);
      if (this.models.size >= MOST_MODELS) this.models.clear();
      this.models.set(key, model);
    }
    return model;
  }

  private defaultSettings(): ModelSettings {
    const { name, baseUrl, apiKey } = this.config.defaultModel;
    if (name === undefined)
      throw new Error(
        'No model is configured. Set DEFAULT_MODEL_NAME, DEFAULT_MODEL_PROVIDER and DEFAULT_MODEL_API_KEY, or give the node a model.',
      );
    return { provider: this.defaultProvider, name, baseUrl, apiKey };
  }

  private get defaultProvider(): ModelProvider {
    const { provider, baseUrl } = this.config.defaultModel;
    return provider ?? (baseUrl === undefined ? 'openai' : 'openai-compatible');
  }

  /**
   * Returns the key of a credential; without one the default key, which is sent only to the address of the default model.
   * Rejects with a sentence when there is no such credential.
   */
  async keyFor(
    settings: Pick<ModelSettings, 'provider' | 'baseUrl'>,
    credentialId: string | undefined,
  ): Promise<string | undefined> {
    if (credentialId !== undefined) return this.credentials.apiKey(credentialId);
    const { baseUrl, apiKey } = this.config.defaultModel;
    const samePlace =
      settings.provider === this.defaultProvider &&
      (settings.baseUrl === undefined || settings.baseUrl === baseUrl);
    return samePlace && (settings.baseUrl !== undefined || baseUrl === undefined) ? apiKey : undefined;
  }
}

function keyMissing({ provider }: ModelSettings, choice: ModelChoice | undefined): string {
  const remedy = choice ? 'Give the model of the node a credentialId' : 'Set DEFAULT_MODEL_API_KEY';
  return `The model has no key, which the provider "${provider}" requires. ${remedy}.`;
}
