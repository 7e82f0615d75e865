import { z } from 'zod';
import { jsonObject } from '../definition/flow-definition.js';
import { effectiveVars } from '../definition/node-overrides.js';
import type { Json } from '../engine/json.js';
import type { NodeContext, NodeKind } from '../engine/node-kind.js';
import type { FlowStore } from '../store/flow-store.js';

const config = z
  .object({
    flowId: z.string().min(1).max(64).describe('Id of the flow that is run. No template.'),
    question: z.string().describe('What it is asked; a template such as {{question}}.'),
    vars: jsonObject.optional().describe('Its variables: name → template or value. Locked ones stay.'),
    chat: z
      .enum(['own', 'same'])
      .optional()
      .describe(
        '"own" (the default): a new chat, of which nothing is kept; "same": the messages and state of this one.',
      ),
  })
  .describe('Runs another flow as a part of this run and says its answer.');

type ExecuteFlowConfig = z.infer<typeof config>;

/**
 * Runs another flow as a part of this run: its nodes stand in this trace, its effects in this journal, and it costs
 * nothing of its own. Whoever may save a flow may run any other by it: keys, domains and limits are asked once, of the
 * caller of the outermost. Its answer is this node's, streamed where this is a leaf.
 */
export const executeFlowNode = (flows: Pick<FlowStore, 'find'>): NodeKind<ExecuteFlowConfig> => ({
  kind: 'execute-flow',
  label: 'Other flow',
  icon: 'linked',
  config,
  streams: true,
  leafText: 'own',
  rawTexts: ['flowId', 'vars'],
  filledLater: ['vars'],
  async run(context) {
    const { flowId, question, chat = 'own' } = context.config;
    const flow = await flows.find(flowId);
    if (!flow) throw new Error(`There is no flow "${flowId}".`);
    const given = await filledVars(context);
    const { vars, warnings } = effectiveVars(flow, new Map(Object.entries(given)), 'vars');
    context.warn(...warnings);
    const { graph, name, revision } = flow;
    const { text, json, followUpPrompts, tokens } = await context.runFlow('flow', {
      ...{ flowId, name, revision, graph, question, vars, chat },
      ...(context.isLeaf ? { token: context.token } : {}),
    });
    return {
      output: { content: text, ...(isObject(json) ? json : {}) },
      text,
      ...(json === undefined ? {} : { json }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(context.isLeaf && followUpPrompts ? { followUpPrompts } : {}),
      traceInput: { flowId, question, ...(context.config.vars ? { vars: given } : {}), chat },
    };
  },
});

async function filledVars({ config: { vars = {} }, value }: NodeContext<ExecuteFlowConfig>) {
  const filled: [string, Json][] = [];
  for (const [name, written] of Object.entries(vars))
    filled.push([name, typeof written === 'string' ? await value(written) : written]);
  return Object.fromEntries(filled);
}

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
