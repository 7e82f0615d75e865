import type { WarnOf } from './import-warnings.js';
import { parseJson } from '../../common/json-text.js';
import type { Json } from '../engine/json.js';
import { isEmpty, numberOf, rowsOf, templateOf, templatesIn, wordOf } from './imported-texts.js';
import { modelSettings } from './model-settings.js';

type Config = Record<string, Json>;

/** What the converters of one node share: its inputs, and where they tell what is lost. */
export interface Imported {
  inputs: Config;
  /** Names of `$vars` met so far, of the whole flow. */
  variables: Set<string>;
  warn: WarnOf;
}

/** Rows of `{ key, value }` as an object of templates. */
const pairsOf = (rows: readonly Config[], { variables }: Imported): Config =>
  Object.fromEntries(
    rows.flatMap(({ key, value = '' }) =>
      wordOf(key) === undefined ? [] : [[key as string, templatesIn(value, variables)]],
    ),
  );

function startConfig(node: Imported): Config {
  const { inputs, warn } = node;
  const type = wordOf(inputs['startInputType']) ?? 'chatInput';
  const isForm = type === 'formInput';
  if (!isForm && type !== 'chatInput')
    warn('input_type_changed', `it began with "${type.slice(0, 50)}"; here it begins with a message`);
  const state = pairsOf(rowsOf(inputs['startState']), node);
  const hasState = Object.keys(state).length > 0;
  if (hasState && inputs['startPersistState'] !== true)
    warn('state_kept', 'the state, new in each run there, is kept per chat here');
  const form = {
    title: inputs['formTitle'] ?? '',
    description: inputs['formDescription'] ?? '',
    inputs: rowsOf(inputs['formInputTypes']),
  };
  return {
    inputType: isForm ? 'form' : 'chat',
    ...(isForm ? { form } : {}),
    ...(hasState ? { state } : {}),
    ...(inputs['startEphemeralMemory'] === true ? { ephemeralMemory: true } : {}),
  };
}

function llmConfig({ inputs, variables, warn }: Imported): Config {
  const model = modelSettings(inputs['llmModel'], inputs['llmModelConfig'], warn);
  const userMessage = wordOf(inputs['llmUserMessage']);
  const messages = rowsOf(inputs['llmMessages']).flatMap(({ role = 'user', content }) => {
    const written = wordOf(content);
    return written === undefined ? [] : [{ role, content: templateOf(written, variables) }];
  });
  const output = rowsOf(inputs['llmStructuredOutput']).filter(({ key }) => wordOf(key) !== undefined);
  return {
    ...(model ? { model } : {}),
    messages,
    memory: memoryOf(inputs, warn),
    ...(userMessage === undefined ? {} : { userMessage: templateOf(userMessage, variables) }),
    ...(output.length > 0 ? { structuredOutput: output.map(withoutEmpty) } : {}),
  };
}

const withoutEmpty = (row: Config): Config =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value)));

function memoryOf(inputs: Config, warn: Imported['warn']): Config {
  if (inputs['llmEnableMemory'] !== true) return { kind: 'none' };
  const size = numberOf(inputs['llmMemoryWindowSize']);
  switch (inputs['llmMemoryType']) {
    case 'windowSize':
      return { kind: 'window', ...(size === undefined ? {} : { size }) };
    case 'conversationSummaryBuffer':
      warn(
        'not_carried_over',
        'the token limit of its memory was not carried over: older messages are summarised',
      );
      return { kind: 'summary' };
    case 'conversationSummary':
      return { kind: 'summary' };
    default:
      return { kind: 'all' };
  }
}

function conditionConfig({ inputs, variables }: Imported): Config {
  const operand = (value: Json = ''): Json =>
    typeof value === 'string' ? templateOf(value, variables).trim() : value;
  return {
    conditions: rowsOf(inputs['conditions']).map(({ type, operation = '', value1, value2 }) => ({
      type: wordOf(type) ?? 'string',
      value1: operand(value1),
      operation,
      value2: operand(value2),
    })),
  };
}

function httpConfig({ inputs, variables, warn }: Imported): Config {
  const rows = (name: string): Config[] =>
    rowsOf(inputs[name]).flatMap(({ key, value = '' }) =>
      wordOf(key) === undefined ? [] : [{ key: key!, value: templatesIn(value, variables) }],
    );
  const [headers, query] = [rows('headers'), rows('queryParams')];
  const body = bodyOf(inputs['body'], wordOf(inputs['bodyType']), variables);
  if (typeof body === 'string' && body.includes('{{') && wordOf(inputs['bodyType']) !== 'raw')
    warn(
      'body_as_text',
      'its body is no JSON as it stands, so that values are inserted into it as text; write it as an object',
    );
  return {
    method: wordOf(inputs['method']) ?? 'GET',
    url: templateOf(wordOf(inputs['url']) ?? '', variables).trim(),
    ...(headers.length > 0 ? { headers } : {}),
    ...(query.length > 0 ? { query } : {}),
    ...(isEmpty(body) ? {} : { body: body! }),
    ...chosen(inputs, 'bodyType'),
    ...chosen(inputs, 'responseType'),
  };
}

const chosen = (inputs: Config, name: string): Config => {
  const value = wordOf(inputs[name]);
  return value === undefined ? {} : { [name]: value };
};

/** A body that is JSON, references and all, becomes the object: each value is then inserted into its own member. */
function bodyOf(body: Json | undefined, type: string | undefined, variables: Set<string>): Json | undefined {
  const text = wordOf(body);
  if (text === undefined) return body && templatesIn(body, variables);
  const written = templateOf(text, variables);
  if (type === 'raw') return written;
  try {
    const value = parseJson(written) as Json;
    return typeof value === 'object' && value !== null ? value : written;
  } catch {
    return written;
  }
}

const replyConfig = ({ inputs, variables }: Imported): Config => ({
  message: templateOf(wordOf(inputs['directReplyMessage']) ?? '', variables),
});

function functionConfig({ inputs, variables }: Imported): Config {
  const given = rowsOf(inputs['customFunctionInputVariables']).map(({ variableName, variableValue }) => ({
    key: variableName ?? '',
    value: variableValue ?? '',
  }));
  return {
    code: wordOf(inputs['customFunctionJavascriptFunction']) ?? '',
    inputs: pairsOf(given, { inputs, variables, warn: () => undefined }),
  };
}

/** The settings of a kind whose config this version does not read: named as in the export. */
const allInputs = ({ inputs, variables }: Imported): Config => templatesIn(inputs, variables) as Config;

/** Name in an export → kind (contract section 9) and how its inputs become the kind's config. */
const CONVERTERS = new Map<string, { kind: string; prefix: string; config: (node: Imported) => Config }>([
  ['startAgentflow', { kind: 'start', prefix: 'start', config: startConfig }],
  ['llmAgentflow', { kind: 'llm', prefix: 'llm', config: llmConfig }],
  ['conditionAgentflow', { kind: 'condition', prefix: 'condition', config: conditionConfig }],
  ['httpAgentflow', { kind: 'http', prefix: 'http', config: httpConfig }],
  ['directReplyAgentflow', { kind: 'reply', prefix: 'directReply', config: replyConfig }],
  ['customFunctionAgentflow', { kind: 'function', prefix: 'customFunction', config: functionConfig }],
  ['agentAgentflow', { kind: 'agent', prefix: 'agent', config: allInputs }],
  ['toolAgentflow', { kind: 'tool', prefix: 'tool', config: allInputs }],
  ['retrieverAgentflow', { kind: 'retriever', prefix: 'retriever', config: allInputs }],
  ['conditionAgentAgentflow', { kind: 'condition-agent', prefix: 'conditionAgent', config: allInputs }],
  ['iterationAgentflow', { kind: 'iteration', prefix: 'iteration', config: allInputs }],
  ['loopAgentflow', { kind: 'loop', prefix: 'loop', config: allInputs }],
  ['humanInputAgentflow', { kind: 'human-input', prefix: 'humanInput', config: allInputs }],
  ['executeFlowAgentflow', { kind: 'execute-flow', prefix: 'executeFlow', config: allInputs }],
]);

/** The kind and config of an exported node. A name that no version has stays as the kind, for the check to name it. */
export function importedConfig(name: string, node: Imported): { kind: string; config: Config } {
  const converter = CONVERTERS.get(name);
  if (!converter) return { kind: name.slice(0, 50), config: {} };
  const config = converter.config(node);
  const updates = pairsOf(rowsOf(node.inputs[`${converter.prefix}UpdateState`]), node);
  return {
    kind: converter.kind,
    config: { ...config, ...(Object.keys(updates).length > 0 ? { updateState: updates } : {}) },
  };
}
