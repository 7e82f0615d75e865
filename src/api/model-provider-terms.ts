/** The providers of models, one record each. Pages read this file too, so it imports nothing. */

export interface ModelProviderRecord {
  /** Its name on screen. */
  label: string;
  /** The default address of its API. Absent: a flow must name one. */
  address?: string;
  /** Present if a server may work without a key. */
  keyless?: true;
  /** Its protocol; OpenAI's if absent. */
  protocol?: 'anthropic' | 'google';
  /** Present if it embeds texts: the model to suggest, and an address if one is usually needed. */
  embedding?: { model: string; address?: string };
  /** Flowise's chat model classes that map to it. */
  flowiseClasses: readonly string[];
}

const providers = {
  openai: {
    label: 'OpenAI',
    address: 'https://api.openai.com/v1',
    embedding: { model: 'text-embedding-3-small' },
    flowiseClasses: ['chatOpenAI', 'chatOpenAICustom'],
  },
  'openai-compatible': {
    label: 'Another, by OpenAI’s protocol',
    keyless: true,
    embedding: { model: 'nomic-embed-text', address: 'http://127.0.0.1:8000/v1' },
    flowiseClasses: ['chatLocalAI', 'chatLitellm'],
  },
  anthropic: {
    label: 'Anthropic',
    address: 'https://api.anthropic.com/v1',
    protocol: 'anthropic',
    flowiseClasses: ['chatAnthropic'],
  },
  google: {
    label: 'Google',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    protocol: 'google',
    embedding: { model: 'gemini-embedding-001' },
    flowiseClasses: ['chatGoogleGenerativeAI'],
  },
  mistral: {
    label: 'Mistral',
    address: 'https://api.mistral.ai/v1',
    embedding: { model: 'mistral-embed' },
    flowiseClasses: ['chatMistralAI'],
  },
  groq: { label: 'Groq', address: 'https://api.groq.com/openai/v1', flowiseClasses: ['groqChat'] },
  ollama: {
    label: 'Ollama',
    keyless: true,
    address: 'http://127.0.0.1:11434/v1',
    embedding: { model: 'nomic-embed-text', address: 'http://127.0.0.1:11434/v1' },
    flowiseClasses: ['chatOllama'],
  },
} as const satisfies Record<string, ModelProviderRecord>;

type Providers = typeof providers;

export type ModelProvider = keyof Providers;

/** The providers that embed texts. */
export type EmbeddingProvider = {
  [Id in ModelProvider]: Providers[Id] extends { embedding: object } ? Id : never;
}[ModelProvider];

export const MODEL_PROVIDERS: Readonly<Record<ModelProvider, ModelProviderRecord>> = providers;

export const MODEL_PROVIDER_IDS = Object.keys(providers) as ModelProvider[];

export const EMBEDDING_PROVIDER_IDS = MODEL_PROVIDER_IDS.filter(
  (id): id is EmbeddingProvider => MODEL_PROVIDERS[id].embedding !== undefined,
);
