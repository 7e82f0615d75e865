import { MODEL_PROVIDER_IDS, MODEL_PROVIDERS, type ModelProvider } from '../../api/model-provider-terms.js';
import { faultsOf } from '../../common/plain-faults.js';
import { isJsonObject, type Json } from '../engine/json.js';
import { modelConfig } from '../nodes/asking/model-config.js';
import type { WarnOf } from './import-warnings.js';
import type { Imported } from './imported-node.js';
import { credentialOf, isEmpty, numberOf, wordOf } from './texts/imported-texts.js';

type Settings = Record<string, Json>;
type Known = { provider: ModelProvider; baseUrl?: string };

const PROVIDERS = new Map<string, Known>([
  ...MODEL_PROVIDER_IDS.flatMap((provider) =>
    MODEL_PROVIDERS[provider].flowiseClasses.map((name) => [name, { provider }] as const),
  ),
  ['chatOpenRouter', { provider: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1' }],
  ['chatDeepseek', { provider: 'openai-compatible', baseUrl: 'https://api.deepseek.com/v1' }],
  ['chatXAI', { provider: 'openai-compatible', baseUrl: 'https://api.x.ai/v1' }],
]);

const READ = new Set([
  ...['modelName', 'customModelName', 'temperature', 'maxTokens', 'maxOutputTokens', 'maxTokensToSample'],
  ...['basepath', 'basePath', 'baseUrl', 'streaming', 'credential', 'llmModel', 'agentModel'],
  ...[
    'conditionAgentModel',
    'humanInputModel',
    'FLOWISE_CREDENTIAL_ID',
    'allowImageUploads',
    'imageResolution',
  ],
]);

/**
 * Returns a node's model as `config.model`: the one that was chosen for its class, else that of the export. Warns and
 * returns undefined when this service can use neither.
 */
export function modelSettings(
  kind: Json | undefined,
  given: Json | undefined,
  { models, warn, dependencies }: Pick<Imported, 'models' | 'warn' | 'dependencies'>,
): Settings | undefined {
  const name = wordOf(kind);
  if (name === undefined) return undefined;
  const settings = isJsonObject(given) ? given : {};
  const chosen = models.get(name) ?? models.get('*');
  if (chosen) return valid({ ...numbersOf(settings), ...chosen }, warn);
  const known = PROVIDERS.get(name);
  const model = wordOf(settings['customModelName']) ?? wordOf(settings['modelName']);
  if (known && model !== undefined) {
    warnOfOthers(settings, warn);
    const address =
      wordOf(settings['basepath']) ?? wordOf(settings['basePath']) ?? wordOf(settings['baseUrl']);
    const baseUrl = address === undefined ? known.baseUrl : addressOf(known.provider, address.trim());
    const named = { provider: known.provider, name: model, ...(baseUrl === undefined ? {} : { baseUrl }) };
    const made = valid({ ...named, ...credentialFor(settings, dependencies), ...numbersOf(settings) }, warn);
    if (made) return made;
  }
  warn(
    'model_left_out',
    `the model "${name.slice(0, 100)}" was left out, so the service's default model answers`,
  );
  return undefined;
}

/** Returns the credential if it is the key of a provider. */
function credentialFor(settings: Settings, { credentials }: Imported['dependencies']): Settings {
  const credentialId = credentialOf(settings);
  return credentialId !== undefined && credentials.get(credentialId) === 'api-key' ? { credentialId } : {};
}

function numbersOf(settings: Settings): Settings {
  const temperature = numberOf(settings['temperature']);
  const maxTokens = numberOf(
    [settings['maxTokens'], settings['maxOutputTokens'], settings['maxTokensToSample']].find(
      (value) => numberOf(value) !== undefined,
    ),
  );
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** Returns the settings without invalid ones; undefined when the rest is not a valid model. */
function valid(model: Settings, warn: WarnOf): Settings | undefined {
  const parsed = modelConfig.safeParse(model);
  if (parsed.success) return model;
  const wrong = new Set(faultsOf(parsed.error).map(({ path }) => path.split('.')[0]!));
  const rest = Object.fromEntries(Object.entries(model).filter(([name]) => !wrong.has(name)));
  if (!modelConfig.safeParse(rest).success) return undefined;
  warn('not_carried_over', `the model's ${[...wrong].join(', ')} had no meaning here`);
  return rest;
}

function warnOfOthers(settings: Record<string, Json>, warn: WarnOf): void {
  const others = Object.entries(settings)
    .filter(([name, value]) => !READ.has(name) && !isEmpty(value) && value !== false)
    .map(([name]) => name.slice(0, 100));
  if (others.length > 0)
    warn('not_carried_over', `the model's ${others.slice(0, 20).join(', ')} were not carried over`);
}

/** Returns the address of the common protocol, which Ollama serves under `/v1`. */
function addressOf(provider: ModelProvider, address: string): string {
  if (provider !== 'ollama' || !URL.canParse(address)) return address;
  const url = new URL(address);
  return url.pathname === '/' ? `${url.origin}/v1` : address;
}
