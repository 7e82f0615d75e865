import type { WarnOf } from './import-warnings.js';
import type { Json } from '../engine/json.js';
import type { ModelProvider } from '../models/language-model.js';
import { isEmpty, isObject, numberOf, wordOf } from './imported-texts.js';

type Known = { provider: ModelProvider; baseUrl?: string };

const PROVIDERS = new Map<string, Known>([
  ['chatOpenAI', { provider: 'openai' }],
  ['chatOpenAICustom', { provider: 'openai' }],
  ['chatAnthropic', { provider: 'anthropic' }],
  ['chatGoogleGenerativeAI', { provider: 'google' }],
  ['chatMistralAI', { provider: 'mistral' }],
  ['groqChat', { provider: 'groq' }],
  ['chatOllama', { provider: 'ollama' }],
  ['chatOpenRouter', { provider: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1' }],
  ['chatDeepseek', { provider: 'openai-compatible', baseUrl: 'https://api.deepseek.com/v1' }],
  ['chatXAI', { provider: 'openai-compatible', baseUrl: 'https://api.x.ai/v1' }],
  ['chatLocalAI', { provider: 'openai-compatible' }],
]);

const READ = new Set([
  ...['modelName', 'customModelName', 'temperature', 'maxTokens', 'maxOutputTokens', 'maxTokensToSample'],
  ...['basepath', 'basePath', 'baseUrl', 'streaming', 'credential', 'llmModel', 'agentModel'],
  ...['FLOWISE_CREDENTIAL_ID', 'allowImageUploads', 'imageResolution'],
]);

/** A node's model as `config.model`. Absent, with a warning, where this service has no such provider. */
export function modelSettings(
  kind: Json | undefined,
  given: Json | undefined,
  warn: WarnOf,
): Record<string, Json> | undefined {
  const name = wordOf(kind);
  if (name === undefined) return undefined;
  const settings = isObject(given) ? given : {};
  const known = PROVIDERS.get(name);
  const model = wordOf(settings['customModelName']) ?? wordOf(settings['modelName']);
  if (!known || model === undefined) {
    warn('model_left_out', `the model "${name}" was left out, so that the service's default model answers`);
    return undefined;
  }
  warnOfOthers(settings, warn);
  const address = wordOf(settings['basepath']) ?? wordOf(settings['basePath']) ?? wordOf(settings['baseUrl']);
  const baseUrl = address === undefined ? known.baseUrl : addressOf(known.provider, address.trim());
  const temperature = numberOf(settings['temperature']);
  const maxTokens = numberOf(
    [settings['maxTokens'], settings['maxOutputTokens'], settings['maxTokensToSample']].find(
      (value) => numberOf(value) !== undefined,
    ),
  );
  return {
    provider: known.provider,
    name: model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

function warnOfOthers(settings: Record<string, Json>, warn: WarnOf): void {
  const others = Object.entries(settings)
    .filter(([name, value]) => !READ.has(name) && !isEmpty(value) && value !== false)
    .map(([name]) => name.slice(0, 100));
  if (others.length > 0)
    warn('not_carried_over', `the model's ${others.slice(0, 20).join(', ')} were not carried over`);
}

/** Ollama's own address is not the one under which it speaks the common protocol. */
function addressOf(provider: ModelProvider, address: string): string {
  if (provider !== 'ollama' || !URL.canParse(address)) return address;
  const url = new URL(address);
  return url.pathname === '/' ? `${url.origin}/v1` : address;
}
