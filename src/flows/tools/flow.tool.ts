import { z } from 'zod';
import { effectiveVars } from '../definition/node-overrides.js';
import { textOf } from '../engine/template.js';
import type { FlowStore } from '../store/flow-store.js';
import { failureOf, type ToolPlace, type ToolResult, toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({
    tool: z.literal('flow'),
    ...toolSettings,
    flowId: z.string().min(1).max(64).describe('Id of the flow to run. Not a template.'),
  })
  .describe('Runs another flow in a chat of its own.');

const PARAMETERS = {
  type: 'object',
  properties: { question: { type: 'string', description: 'The question to the flow.' } },
  required: ['question'],
};

type Flow = NonNullable<Awaited<ReturnType<FlowStore['find']>>>;

/**
 * Runs another flow as a tool: as a part of this run, like the node `execute-flow`, below the call in the trace. The model
 * receives its failures, also when it asks a human or runs flows too deep.
 */
export const flowTool = (flows: Pick<FlowStore, 'find'>): ToolType<z.infer<typeof settings>> => ({
  tool: 'flow',
  settings,
  async open({ flowId, name, description }, user) {
    const flow = await flows.find(flowId);
    if (!flow) throw new Error(`There is no flow "${flowId}".`);
    const about = description ?? flow.definition.description ?? flow.name;
    return {
      tools: [
        {
          name: name ?? flow.name,
          description: description === undefined ? about : await user.filled(about),
          parameters: PARAMETERS,
          call: ({ question }, place) => askFlow(flow, textOf(question ?? ''), place),
        },
      ],
    };
  },
});

async function askFlow(flow: Flow, question: string, { user, at, runId }: ToolPlace): Promise<ToolResult> {
  const { id: flowId, name, contentHash: revision, graph } = flow;
  const { vars } = effectiveVars(flow, new Map(), 'vars');
  const place = at === undefined ? 'flow' : `${at}/flow`;
  try {
    const { text, json, tokens } = await user.runFlow(
      place,
      { flowId, name, revision, graph, question, vars, chat: 'own' },
      runId,
    );
    const counted = tokens === undefined ? {} : { tokens: { ...tokens } };
    return { text, output: { content: text, ...(json === undefined ? {} : { json }) }, ...counted };
  } catch (error) {
    throw failureOf(error, user);
  }
}
