import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import { effectiveVars } from '../definition/node-overrides.js';
import { isJsonObject, type Json } from '../engine/json.js';
import type { NodeContext, NodeKind } from '../engine/node-kind.js';
import type { FlowStore } from '../store/flow-store.js';

const config = z
  .object({
    flowId: z.string().min(1).max(64).describe('Id of the flow to run. Not a template.'),
    question: z.string().describe('The question to the flow; a template such as {{question}}.'),
    vars: jsonObject
      .optional()
      .describe('Variables of the flow: name → template or value. Locked ones are ignored.'),
    chat: z
      .enum(['own', 'same'])
      .optional()
      .describe(
        '"own" (the default): a new chat that is not stored; "same": with the messages and state of this chat.',
      ),
  })
  .describe('Runs another flow as a part of this run and returns its answer.');

type ExecuteFlowConfig = z.infer<typeof config>;

/**
 * Runs another flow as a part of this run: its nodes are in this trace, its effects in this journal, and it is not charged
 * separately. Keys, domains and limits are checked once, for the outermost flow, so an admin who may save a flow may run any
 * other with it. Its answer is that of this node, and a leaf streams it.
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
    const { graph, name, contentHash: revision } = flow;
    const { text, json, followUpPrompts, tokens } = await context.runFlow('flow', {
      ...{ flowId, name, revision, graph, question, vars, chat },
      ...(context.isLeaf ? { token: context.token } : {}),
    });
    return {
      output: { content: text, ...(isJsonObject(json) ? json : {}) },
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
  for (const [name, written] of Object.entries(vars)) filled.push([name, await value(written)]);
  return Object.fromEntries(filled);
}
