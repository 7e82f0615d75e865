import { jsonObject } from '../../../api/flow-definition.js';
import type { Json } from '../../engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../../engine/node-kind.js';
import { argumentFault, typedArguments } from '../../tools/arguments.js';
import { type NamedTool, ToolBox } from '../../tools/tool-box.js';
import type { ToolTypes } from '../../tools/tool-types.js';
import type { ToolSettings } from '../../tools/tool.js';
import { approvalText } from './approval-text.js';

interface ToolConfig extends ToolSettings {
  arguments?: Record<string, Json> | undefined;
}

const more = {
  arguments: jsonObject
    .optional()
    .describe(
      'The arguments of the call: name → template. A single reference keeps its type; other text is read as the type that the parameters name.',
    ),
};

/** Members whose texts are not templates. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['tool', 'name', 'settings', 'original', 'code', 'parameters', 'credentialId', 'flowId'],
]);

/**
 * Calls one tool as a step of a flow (contract section 9). The output is the result of the tool, the text that for a model.
 * A failure of the tool fails the node. When a human rejects the call, the output has `rejected`.
 */
export const toolNode = (types: ToolTypes): NodeKind<ToolConfig> => ({
  kind: 'tool',
  label: 'Tool',
  icon: 'wrench',
  config: types.settings(more),
  streams: true,
  leafText: 'own',
  persists: () => ({ state: false }),
  /** Filled for the call together with its arguments. */
  get rawTexts() {
    return [...types.members, 'arguments'];
  },
  get filledLater() {
    return [...types.members, 'arguments'].filter((name) => !PLAIN.has(name));
  },
  secretsIn: (config) => types.secretsIn(config),
  traceOf: ({ tool, name, arguments: given = {} }) => ({ tool, ...(name ? { name } : {}), arguments: given }),
  async run(context) {
    const box = await ToolBox.open(types, [context.config], context);
    try {
      return await called(onlyTool(box, context), context);
    } finally {
      await box.close();
    }
  },
});

async function called(tool: NamedTool, context: NodeContext<ToolConfig>): Promise<NodeResult> {
  const { config, effects, answer, label } = context;
  const memo = answer?.memo as Record<string, Json> | undefined;
  const args = memo ?? typedArguments(tool.parameters, await filledArguments(context));
  const traceInput = { tool: config.tool, ...(config.name ? { name: config.name } : {}), arguments: args };
  const fault = await argumentFault(tool.parameters, args);
  if (fault !== undefined) throw new Error(`The arguments do not fit: ${fault}.`);
  if (answer?.type === 'reject') {
    const comment = answer.feedback?.trim() ? { feedback: answer.feedback } : {};
    return { output: { rejected: true, ...comment }, text: `"${label}" was not allowed.`, traceInput };
  }
  if (tool.needsApproval && answer === undefined) {
    const calls = [{ tool: tool.name, arguments: args }];
    const text = approvalText('', calls);
    return { output: null, text, traceInput, approval: { feedback: true, calls, memo: args } };
  }
  const { text, output, sources, tokens } = await tool.call(args, { user: context, effects });
  if (sources !== undefined) context.sources(sources);
  return { output, text, traceInput, ...(tokens === undefined ? {} : { tokens }) };
}

/** Returns the tool to call; `name` selects one of a server with several. */
function onlyTool({ tools }: ToolBox, { config, label }: NodeContext<ToolConfig>): NamedTool {
  const [only] = tools.values();
  const chosen = config.name === undefined ? undefined : tools.get(config.name);
  if (chosen) return chosen;
  if (only && tools.size === 1) return only;
  if (!only) throw new Error(`"${label}" offers no tool that could be called.`);
  const names = [...tools.keys()].slice(0, 20).map((name) => `"${name}"`);
  throw new Error(`"${label}" offers several tools. Set "name" to one of them: ${names.join(', ')}.`);
}

async function filledArguments({ config, value }: NodeContext<ToolConfig>): Promise<Record<string, Json>> {
  const members = Object.entries(config.arguments ?? {}).map(
    async ([name, given]): Promise<[string, Json]> => [name, await value(given)],
  );
  return Object.fromEntries(await Promise.all(members));
}
