import { isJsonObject, type Json } from '../engine/json.js';
import { loopTarget } from './earlier-answers.js';
import {
  agentConfig,
  conditionAgentConfig,
  humanInputConfig,
  llmConfig,
  toolConfig,
} from './imported-agents.js';
import type { Imported } from './imported-node.js';
import { retrieverConfig } from './imported-stores.js';
import { foreignNames } from './imported-tools.js';
import type { ImportedReferences } from './texts/imported-references.js';
import {
  isEmpty,
  numberOf,
  readObject,
  rowsOf,
  structureIn,
  templateOf,
  templatesIn,
  wordOf,
} from './texts/imported-texts.js';

type Config = Record<string, Json>;

/** Returns rows of `{ key, value }` as an object of templates. */
const pairsOf = (rows: readonly Config[], { references }: Pick<Imported, 'references'>): Config =>
  Object.fromEntries(
    rows.flatMap(({ key, value = '' }) =>
      wordOf(key) === undefined ? [] : [[key as string, templatesIn(value, references)]],
    ),
  );

function startConfig(node: Imported): Config {
  const { inputs, warn } = node;
  const type = wordOf(inputs['startInputType']) ?? 'chatInput';
  const isForm = type === 'formInput';
  // An editor keeps the settings of other input types beside those of the chosen one.
  const others = Object.keys(inputs).filter((name) => /^(?:webhook|schedule)/.test(name));
  if (isForm || type === 'chatInput') for (const name of others) void inputs[name];
  if (!isForm && type !== 'chatInput')
    warn('input_type_changed', `its input was "${type.slice(0, 50)}"; here it is a message`);
  const state = pairsOf(rowsOf(inputs['startState']), node);
  const hasState = Object.keys(state).length > 0;
  if (hasState && inputs['startPersistState'] !== true)
    warn('state_kept', 'its state, which was new in each run, is stored for each chat here');
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

function conditionConfig({ inputs, references }: Imported): Config {
  const operand = (value: Json = ''): Json =>
    typeof value === 'string' ? templateOf(value, references).trim() : value;
  return {
    conditions: rowsOf(inputs['conditions']).map(({ type, operation = '', value1, value2 }) => ({
      type: wordOf(type) ?? 'string',
      value1: operand(value1),
      operation,
      value2: operand(value2),
    })),
  };
}

function httpConfig({ inputs, references, warn, credential, dependencies }: Imported): Config {
  // The other service sends neither fields without a value nor the body of a GET.
  const rows = (name: string): Config[] =>
    rowsOf(inputs[name]).flatMap(({ key, value }) =>
      wordOf(key) === undefined || isEmpty(value)
        ? []
        : [{ key: key!, value: templatesIn(value!, references) }],
    );
  const [headers, query] = [rows('headers'), rows('queryParams')];
  const method = wordOf(inputs['method']) ?? 'GET';
  const bodyType = wordOf(inputs['bodyType']);
  const given = inputs['body'];
  const body = method === 'GET' ? undefined : bodyOf(given, bodyType, references);
  if (typeof body === 'string' && body.trim() !== '' && bodyType !== 'raw')
    warn(
      'body_as_text',
      body.includes('{{')
        ? 'its body is not valid JSON, so values are inserted as text; write it as an object'
        : 'its body is not valid JSON and is sent as it is written; correct it',
    );
  const isKnown = credential !== undefined && dependencies.credentials.has(credential);
  if (credential !== undefined && !isKnown)
    warn('not_carried_over', 'its credential was left out; create one here and set credentialId');
  return {
    method,
    url: templateOf(wordOf(inputs['url']) ?? '', references).trim(),
    ...(headers.length > 0 ? { headers } : {}),
    ...(query.length > 0 ? { query } : {}),
    ...(isEmpty(body) ? {} : { body: body! }),
    ...chosen(inputs, 'bodyType'),
    ...chosen(inputs, 'responseType'),
    ...(isKnown ? { credentialId: credential } : {}),
  };
}

const chosen = (inputs: Config, name: string): Config => {
  const value = wordOf(inputs[name]);
  return value === undefined ? {} : { [name]: value };
};

/** Returns a body that is JSON as an object, so that each value is inserted into its own member. */
function bodyOf(
  body: Json | undefined,
  type: string | undefined,
  references: ImportedReferences,
): Json | undefined {
  const text = wordOf(body);
  if (text === undefined) return body && templatesIn(body, references);
  const written = templateOf(text, references);
  return type === 'raw' ? written : structureIn(written);
}

const replyConfig = ({ inputs, references }: Imported): Config => ({
  message: templateOf(wordOf(inputs['directReplyMessage']) ?? '', references),
});

function functionConfig({ inputs, references, warn }: Imported): Config {
  const given = rowsOf(inputs['customFunctionInputVariables']).map(({ variableName, variableValue }) => ({
    key: variableName ?? '',
    value: variableValue ?? '',
  }));
  const code = wordOf(inputs['customFunctionJavascriptFunction']) ?? '';
  const foreign = foreignNames(code);
  if (foreign.length > 0)
    warn(
      'code_of_elsewhere',
      `its code uses ${foreign.join(', ')}, which is not available to functions here`,
    );
  return {
    code,
    inputs: pairsOf(given, { references }),
  };
}

const iterationConfig = ({ inputs, references }: Imported): Config => {
  const items = inputs['iterationInput'] ?? '';
  return {
    items: typeof items === 'string' ? templateOf(items, references).trim() : templatesIn(items, references),
  };
};

function loopConfig({ inputs, references, ids }: Imported): Config {
  const backTo = loopTarget(inputs, ids);
  const max = numberOf(inputs['maxLoopCount']);
  const fallback = wordOf(inputs['fallbackMessage']);
  return {
    backTo,
    ...(max === undefined ? {} : { max }),
    ...(fallback === undefined ? {} : { fallbackMessage: templateOf(fallback, references) }),
  };
}

/** Converts the call of a flow with the variables that it overrides. */
function executeFlowConfig({ inputs, references, warn }: Imported): Config {
  const question = templateOf(wordOf(inputs['executeFlowInput']) ?? '', references).trim();
  const override = inputs['executeFlowOverrideConfig'];
  const given =
    typeof override === 'string'
      ? readObject(templateOf(override, references))
      : override && templatesIn(override, references);
  const { vars, ...others } = isJsonObject(given) ? given : {};
  const lost = Object.keys(others).map((name) => name.slice(0, 100));
  if (!isJsonObject(given) && !isEmpty(override)) lost.push('executeFlowOverrideConfig');
  if (vars !== undefined && !isJsonObject(vars)) lost.push('vars');
  if (lost.length > 0)
    warn(
      'not_carried_over',
      `it overrode ${lost.slice(0, 20).join(', ')} of the other flow, which was left out`,
    );
  return {
    flowId: wordOf(inputs['executeFlowSelectedFlow'])?.trim() ?? '',
    question: question === '' ? '{{question}}' : question,
    ...(isJsonObject(vars) ? { vars } : {}),
  };
}

/** The kind (contract section 9) and the converter of its inputs, by the name in an export. */
const CONVERTERS = new Map<string, { kind: string; prefix: string; config: (node: Imported) => Config }>([
  ['startAgentflow', { kind: 'start', prefix: 'start', config: startConfig }],
  ['llmAgentflow', { kind: 'llm', prefix: 'llm', config: llmConfig }],
  ['conditionAgentflow', { kind: 'condition', prefix: 'condition', config: conditionConfig }],
  ['httpAgentflow', { kind: 'http', prefix: 'http', config: httpConfig }],
  ['directReplyAgentflow', { kind: 'reply', prefix: 'directReply', config: replyConfig }],
  ['customFunctionAgentflow', { kind: 'function', prefix: 'customFunction', config: functionConfig }],
  ['agentAgentflow', { kind: 'agent', prefix: 'agent', config: agentConfig }],
  ['toolAgentflow', { kind: 'tool', prefix: 'tool', config: toolConfig }],
  ['retrieverAgentflow', { kind: 'retriever', prefix: 'retriever', config: retrieverConfig }],
  [
    'conditionAgentAgentflow',
    { kind: 'condition-agent', prefix: 'conditionAgent', config: conditionAgentConfig },
  ],
  ['iterationAgentflow', { kind: 'iteration', prefix: 'iteration', config: iterationConfig }],
  ['loopAgentflow', { kind: 'loop', prefix: 'loop', config: loopConfig }],
  ['humanInputAgentflow', { kind: 'human-input', prefix: 'humanInput', config: humanInputConfig }],
  ['executeFlowAgentflow', { kind: 'execute-flow', prefix: 'executeFlow', config: executeFlowConfig }],
]);

/** Returns the kind and config of an exported node. An unknown name becomes the kind. */
export function importedConfig(
  name: string,
  node: Imported,
): { kind: string; config: Config; isKnown: boolean } {
  const converter = CONVERTERS.get(name);
  if (!converter) return { kind: name.slice(0, 50), config: {}, isKnown: false };
  const config = converter.config(node);
  const updates = pairsOf(rowsOf(node.inputs[`${converter.prefix}UpdateState`]), node);
  // A tool node without its tool, or a retriever without its stores, becomes a placeholder.
  const isEmptied = config['tool'] === 'missing' || (converter.kind === 'retriever' && !config['stores']);
  const kind = isEmptied ? name : converter.kind;
  return {
    kind,
    isKnown: true,
    config: { ...config, ...(Object.keys(updates).length > 0 ? { updateState: updates } : {}) },
  };
}
