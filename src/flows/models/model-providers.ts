import { type Patience, USUAL_PATIENCE } from './call-limit.js';
import { ChatCompletionsModel } from './chat-completions-model.js';
import type { LanguageModel, ModelProvider, ModelSettings } from './language-model.js';
import { modelFetch } from './model-fetch.js';
import { ProviderLanguageModel } from './provider-language-model.js';

/** A model, and how to load beforehand what its first call would wait for. */
export interface OpenableModel extends LanguageModel {
  open(): Promise<unknown>;
}

/** Where each provider is reached unless the flow says otherwise; named here, so that no environment variable decides. */
const addresses: Partial<Record<ModelProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
  groq: 'https://api.groq.com/openai/v1',
  ollama: 'http://127.0.0.1:11434/v1',
};

/** Where the model of these settings is reached. Throws with a sentence where nothing says so. */
export function addressOf({ provider, baseUrl }: Pick<ModelSettings, 'provider' | 'baseUrl'>): string {
  const address = baseUrl ?? addresses[provider];
  if (address === undefined) throw new Error(`A model of the provider "${provider}" needs a baseUrl.`);
  return address;
}

/**
 * The model that the settings name. Anthropic and Google have protocols of their own, for which their packages are
 * loaded when first asked for, and given a key that no provider takes where there is none, so that none is looked for in
 * the environment; all others speak OpenAI's.
 */
export function modelOf(settings: ModelSettings, patience: Patience = USUAL_PATIENCE): OpenableModel {
  const { provider, name } = settings;
  const baseURL = addressOf(settings);
  const options = { baseURL, apiKey: settings.apiKey ?? 'none', fetch: modelFetch };
  switch (provider) {
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
