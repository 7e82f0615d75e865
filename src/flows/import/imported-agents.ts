import type { Json } from '../engine/json.js';
import type { Imported } from './imported-node.js';
import { knownStores, retrieveSettings } from './imported-stores.js';
import { importedTool } from './imported-tools.js';
import { modelSettings } from './model-settings.js';
import {
  isEmpty,
  isObject,
  numberOf,
  rowsOf,
  structureIn,
  templateOf,
  templatesIn,
  wordOf,
} from './texts/imported-texts.js';

type Config = Record<string, Json>;

export const llmConfig = (node: Imported): Config => importedModelConfig(node, 'llm');

/** Returns the config with its tools. Its document stores become tools; unknown stores become missing tools. */
export function agentConfig(node: Imported): Config {
  const { inputs } = node;
  const tools = rowsOf(inputs['agentTools']).flatMap((row): Config[] => {
    const original = wordOf(row['agentSelectedTool']);
    if (original === undefined) return [];
    const given = row['agentSelectedToolConfig'];
    const asks = row['agentSelectedToolRequiresHumanInput'] === true;
    const tool = importedTool(original, isObject(given) ? given : {}, node);
    return [{ ...tool, ...(asks ? { requiresApproval: true } : {}) }];
  });
  const { found, missing } = knownStores(inputs['agentKnowledgeDocumentStores'], node);
  const known = {
    agentKnowledgeDocumentStores: missing,
    agentKnowledgeVSEmbeddings: inputs['agentKnowledgeVSEmbeddings'],
  };
  const left = Object.entries(known).flatMap(([name, given]) =>
    isEmpty(given) ? [] : [importedTool(name, { [name]: given! }, node)],
  );
  return {
    ...importedModelConfig(node, 'agent'),
    tools: [...tools, ...found.map(retrieveSettings), ...left],
  };
}

export function toolConfig(node: Imported): Config {
  const { inputs, references } = node;
  const original = wordOf(inputs['toolAgentflowSelectedTool']) ?? wordOf(inputs['selectedTool']) ?? 'tool';
  const given = inputs['toolAgentflowSelectedToolConfig'] ?? inputs['selectedToolConfig'];
  const rows = rowsOf(inputs['toolInputArgs']).flatMap(({ inputArgName, inputArgValue = '' }) => {
    const name = wordOf(inputArgName);
    if (name === undefined) return [];
    const value = templatesIn(inputArgValue, references);
    return [[name, typeof value === 'string' ? structureIn(value.trim()) : value] as const];
  });
  const quiet = { ...node, warn: () => undefined };
  return {
    ...importedTool(original, isObject(given) ? given : {}, quiet),
    ...(rows.length > 0 ? { arguments: Object.fromEntries(rows) } : {}),
  };
}

export function conditionAgentConfig(node: Imported): Config {
  const { inputs, references } = node;
  const model = modelSettings(inputs['conditionAgentModel'], inputs['conditionAgentModelConfig'], node);
  const instructions = wordOf(inputs['conditionAgentInstructions']);
  return {
    ...(model ? { model } : {}),
    ...(instructions === undefined ? {} : { instructions: templateOf(instructions, references) }),
    input: templateOf(wordOf(inputs['conditionAgentInput']) ?? '', references).trim(),
    scenarios: rowsOf(inputs['conditionAgentScenarios']).map(({ scenario }) =>
      templateOf(wordOf(scenario) ?? '', references).trim(),
    ),
  };
}

/** Returns the common settings of kinds with a model; `prefix` is that of the names of their inputs. */
function importedModelConfig(node: Imported, prefix: 'llm' | 'agent'): Config {
  const { inputs, references, warn } = node;
  const input = (name: string): Json | undefined => inputs[`${prefix}${name}`];
  const model = modelSettings(input('Model'), input('ModelConfig'), node);
  const userMessage = wordOf(input('UserMessage'));
  const messages = rowsOf(input('Messages')).flatMap(({ role = 'user', content }) => {
    const written = wordOf(content);
    return written === undefined ? [] : [{ role, content: templateOf(written, references) }];
  });
  const output = rowsOf(input('StructuredOutput')).filter(({ key }) => wordOf(key) !== undefined);
  return {
    ...(model ? { model } : {}),
    messages,
    memory: memoryOf(input, warn),
    ...(userMessage === undefined ? {} : { userMessage: templateOf(userMessage, references) }),
    ...(output.length > 0 ? { structuredOutput: output.map(withoutEmpty) } : {}),
  };
}

const withoutEmpty = (row: Config): Config =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value)));

function memoryOf(input: (name: string) => Json | undefined, warn: Imported['warn']): Config {
  if (input('EnableMemory') !== true) return { kind: 'none' };
  const size = numberOf(input('MemoryWindowSize'));
  switch (input('MemoryType')) {
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
