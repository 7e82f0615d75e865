import { isJsonObject, type Json } from '../engine/json.js';
import type { Imported } from './imported-node.js';
import { knownStores, retrieveSettings } from './imported-stores.js';
import { importedTool } from './imported-tools.js';
import { modelSettings } from './model-settings.js';
import {
  isEmpty,
  isReferred,
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
    const tool = importedTool(original, isJsonObject(given) ? given : {}, node);
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
    ...importedTool(original, isJsonObject(given) ? given : {}, quiet),
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

/** Converts a human input. With `dynamic` a model writes the question from a prompt. */
export function humanInputConfig(node: Imported): Config {
  const { inputs, references } = node;
  const feedback = inputs['humanInputEnableFeedback'] === true ? { feedback: true } : {};
  const description = wordOf(inputs['humanInputDescription']);
  if (inputs['humanInputDescriptionType'] !== 'dynamic') {
    // An editor keeps the model of the other type beside the text.
    for (const name of ['humanInputModel', 'humanInputModelConfig', 'humanInputModelPrompt'])
      void inputs[name];
    const message = templateOf(description ?? 'Do you want to proceed?', references);
    return { message: withLastAnswer(message, node), ...feedback };
  }
  const prompt = wordOf(inputs['humanInputModelPrompt']) ?? description ?? 'Ask the user whether to proceed.';
  const model = modelSettings(inputs['humanInputModel'], inputs['humanInputModelConfig'], node);
  return {
    message: templateOf(prompt, references),
    messageFrom: 'model',
    ...(model ? { model } : {}),
    ...feedback,
  };
}

/** Puts the last answer before a question, as the other service does, so that the human sees what the question is about. */
function withLastAnswer(message: string, { earlier, warn }: Imported): string {
  const { sure, possible } = earlier();
  const last = sure.at(-1)?.id;
  if (possible.length > 0 && !possible.some((id) => isReferred(message, id)))
    warn(
      'not_carried_over',
      `the answer before it is not shown with its question; name it in the message, such as {{${possible[0]!}}}`,
    );
  return last === undefined || possible.length > 0 || isReferred(message, last)
    ? message
    : `{{${last}}}\n\n${message}`;
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
  const memory = memoryOf(input, warn);
  const own = userMessage === undefined ? {} : { userMessage: templateOf(userMessage, references) };
  return {
    ...(model ? { model } : {}),
    messages: memory['kind'] === 'none' ? messages : [...messages, ...messagesOfRun(messages, own, node)],
    memory,
    ...own,
    ...(output.length > 0 ? { structuredOutput: output.map(withoutEmpty) } : {}),
  };
}

/**
 * Returns the messages of the run itself, which memory of the other service holds and that of this service does not: the
 * question, where another message takes its place, and the answers of the nodes before.
 */
function messagesOfRun(
  messages: readonly Config[],
  { userMessage }: { userMessage?: string },
  { earlier, warn }: Imported,
): Config[] {
  const { sure, possible } = earlier();
  const spoken = messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const texts = [...spoken.map(({ content }) => content as string), userMessage ?? ''].join('\n');
  const lost = possible.filter((id) => !isReferred(texts, id));
  if (lost.length > 0)
    warn(
      'not_carried_over',
      `its memory holds earlier exchanges of the chat, not the answers of other branches and rounds of a run; name those that it needs in its messages, such as {{${lost[0]!}}}`,
    );
  const answers = sure
    .filter(({ id }) => !isReferred(texts, id))
    .map(({ id, role }): Config => ({ role, content: `{{${id}}}` }));
  const isAsked = userMessage === undefined && [...spoken, ...answers].at(-1)?.['role'] !== 'user';
  return isAsked || isReferred(texts, 'question')
    ? answers
    : [{ role: 'user', content: '{{question}}' }, ...answers];
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
