import type { OpenAIProvider } from '@ai-sdk/openai';
import type { ModelProvider, ModelSettings } from './language-model.js';

/** The specification that every provider package implements. */
export type ProviderModel = ReturnType<OpenAIProvider['chat']>;

/** Providers that speak OpenAI's protocol at an address of their own. */
const compatible: Partial<Record<ModelProvider, string>> = {
  mistral: 'https://api.mistral.ai/v1',
  groq: 'https://api.groq.com/openai/v1',
  ollama: 'http://127.0.0.1:11434/v1',
};

/**
 * Makes the provider's model. The packages are loaded when first asked for: a service without models stays small, and
 * starts at once. A missing key is sent as one that no provider takes, so that none is looked for in the environment.
 */
export async function openModel(settings: ModelSettings): Promise<ProviderModel> {
  const { provider, name } = settings;
  const options = {
    apiKey: settings.apiKey ?? 'none',
    ...(settings.baseUrl === undefined ? {} : { baseURL: settings.baseUrl }),
  };
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(options).chat(name);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(options)(name);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options)(name);
    default: {
      const baseURL = settings.baseUrl ?? compatible[provider];
      if (baseURL === undefined) throw new Error(`A model of the provider "${provider}" needs a baseUrl.`);
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: provider,
        baseURL,
        includeUsage: true,
        supportsStructuredOutputs: true,
        ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
      })(name);
    }
  }
}
