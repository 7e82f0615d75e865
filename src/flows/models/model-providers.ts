import { MODEL_PROVIDERS } from '../../api/model-provider-terms.js';
import { type Patience, USUAL_PATIENCE } from './call-limit.js';
import { ChatCompletionsModel } from './chat-completions-model.js';
import type { LanguageModel, ModelSettings } from './language-model.js';
import { modelFetch } from './model-fetch.js';
import { ProviderLanguageModel } from './provider-language-model.js';

/** A model, and how to load beforehand what its first call would wait for. */
export interface OpenableModel extends LanguageModel {
  open(): Promise<unknown>;
}

/** Whether a call without a key may succeed: any server but the provider's own may ask for none. */
export const opensWithoutKey = ({
  provider,
  baseUrl,
}: Pick<ModelSettings, 'provider' | 'baseUrl'>): boolean =>
  baseUrl !== undefined || MODEL_PROVIDERS[provider].keyless === true;

/** The address is never left to the provider's package, which would look for one in the environment. Throws where there is none. */
export function addressOf({ provider, baseUrl }: Pick<ModelSettings, 'provider' | 'baseUrl'>): string {
  const address = baseUrl ?? MODEL_PROVIDERS[provider].address;
  if (address === undefined) throw new Error(`A model of the provider "${provider}" needs a baseUrl.`);
  return address;
}

/** The arguments of `refine` by which settings name an address where their provider has none of its own. */
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
 * The model that the settings name. Anthropic and Google have protocols of their own, for which their packages are
 * loaded when first asked for, and given a key that no provider takes where there is none, so that none is looked for in
 * the environment; all others speak OpenAI's.
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
