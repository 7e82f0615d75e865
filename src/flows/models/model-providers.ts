import { MODEL_PROVIDERS } from '../../api/model-provider-terms.js';
import { type Patience, USUAL_PATIENCE } from './call-limit.js';
import { ChatCompletionsModel } from './chat-completions-model.js';
import type { LanguageModel, ModelSettings } from './language-model.js';
import { modelFetch } from './model-fetch.js';
import { ProviderLanguageModel } from './provider-language-model.js';

/** A model whose client can be loaded before its first call. */
export interface OpenableModel extends LanguageModel {
  open(): Promise<unknown>;
}

/** Returns whether a call without a key may succeed: servers other than the provider's own may need none. */
export const opensWithoutKey = ({
  provider,
  baseUrl,
}: Pick<ModelSettings, 'provider' | 'baseUrl'>): boolean =>
  baseUrl !== undefined || MODEL_PROVIDERS[provider].keyless === true;

/** Returns the address, which the provider's package would otherwise read from the environment. Throws when there is none. */
export function addressOf({ provider, baseUrl }: Pick<ModelSettings, 'provider' | 'baseUrl'>): string {
  const address = baseUrl ?? MODEL_PROVIDERS[provider].address;
  if (address === undefined) throw new Error(`A model of the provider "${provider}" needs a baseUrl.`);
  return address;
}

/** Arguments of `refine` that require a `baseUrl` for a provider without an address of its own. */
export const addressGiven: [
  (model: Pick<ModelSettings, 'provider' | 'baseUrl'>) => boolean,
  { path: string[]; error: (issue: { input?: unknown }) => string },
] = [
  ({ provider, baseUrl }) => (baseUrl ?? MODEL_PROVIDERS[provider].address) !== undefined,
  {
    path: ['baseUrl'],
    error: ({ input }) => `is needed for the provider "${(input as ModelSettings).provider}"`,
  },
];

/**
 * Returns the model of the settings. Anthropic and Google have their own protocols, whose packages are loaded at the first
 * call and get a dummy key when there is none, so that they do not read one from the environment. All others use OpenAI's.
 */
export function modelOf(settings: ModelSettings, patience: Patience = USUAL_PATIENCE): OpenableModel {
  const { provider, name } = settings;
  const baseURL = addressOf(settings);
  const options = { baseURL, apiKey: settings.apiKey ?? 'none', fetch: modelFetch };
  switch (MODEL_PROVIDERS[provider].protocol) {
    case 'anthropic':
      return new ProviderLanguageModel(settings, patience, async () => {
        const { createAnthropic } = await import('@ai-sdk/anthropic');
        return createAnthropic(options)(name);
      });
    case 'google':
      return new ProviderLanguageModel(settings, patience, async () => {
        const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
        return createGoogleGenerativeAI(options)(name);
      });
    default:
      return new ChatCompletionsModel(settings, baseURL, patience);
  }
}
