import type { OpenAIProvider } from '@ai-sdk/openai';
import type { ModelProvider, ModelSettings } from './language-model.js';
import { modelFetch } from './model-fetch.js';

/** The specification that every provider package implements. */
export type ProviderModel = ReturnType<OpenAIProvider['chat']>;

/** Where each provider is reached unless the flow says otherwise; named here, so that no environment variable decides. */
const addresses: Partial<Record<ModelProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
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
  const baseURL = settings.baseUrl ?? addresses[provider];
  if (baseURL === undefined) throw new Error(`A model of the provider "${provider}" needs a baseUrl.`);
  const options = { baseURL, apiKey: settings.apiKey ?? 'none', fetch: modelFetch };
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(options).chat(name);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(options)(name);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options)(name);
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: provider,
        baseURL,
        includeUsage: true,
        supportsStructuredOutputs: true,
        fetch: modelFetch,
        ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
      })(name);
    }
  }
}
