import { z } from 'zod';
import { LAYOUTS, ROOM_KINDS } from './report-terms.js';

type Json = z.core.util.JSONType;

/** Ids that an admin may choose (contract section 1). */
export const FLOW_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{2,63}$/;

/** Ids of nodes, without dots, because `{{nodeId.output.path}}` is split at them. */
const NODE_ID = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

/** An entry of `overrides`, which names a config value that callers may set: `nodeId.path`. */
const OVERRIDE = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}(\.[A-Za-z0-9_-]{1,100}){1,8}$/;

const DOMAIN = /^(\*\.)?([\p{L}\p{N}._-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:\d{1,5})?$/u;

const MOST_FAULTS = 100;

export const MOST_NODES = 1_000;
export const MOST_EDGES = 10_000;

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object that stays unchanged: `z.record` would drop a member named `__proto__`, an ordinary name here. */
export const jsonObject = z
  .custom<Record<string, Json>>(isObject, 'must be an object')
  .meta({ type: 'object' });

const isVariable = (value: unknown): boolean =>
  isObject(value) &&
  Object.hasOwn(value, 'value') &&
  (value['locked'] === undefined || typeof value['locked'] === 'boolean');

const vars = z
  .custom<Record<string, { value: Json; locked?: boolean }>>(isObject, 'must be an object')
  .check((context) => {
    for (const [name, value] of Object.entries(context.value)) {
      // There may be half a million faults.
      if (context.issues.length >= MOST_FAULTS) break;
      if (isVariable(value)) continue;
      context.issues.push({
        code: 'custom',
        input: value,
        path: [name],
        message: 'must be an object { value, locked? }',
      });
    }
  })
  .meta({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        value: { description: 'The value of {{$vars.name}}.' },
        locked: { type: 'boolean', description: 'Callers cannot set it through overrideConfig.vars.' },
      },
      required: ['value'],
    },
    title: 'Variables',
    description: 'Variables: name → value. Texts read them as {{$vars.name}}.',
  });

export const rateLimit = z.object({
  limit: z.int().min(1).max(1_000_000).describe('Calls that are accepted in any window.'),
  windowSeconds: z.int().min(1).max(31_536_000).describe('Length of the window.'),
  message: z.string().max(1_000).optional().describe('The message for a refused caller.'),
});

export const flowAccess = z.object({
  apiKeyId: z.string().min(1).max(200).nullable().optional().meta({
    title: 'API key',
    description: 'Id of the key that alone opens the flow; null: open to anyone who knows the flow’s id.',
  }),
  allowedDomains: z
    .array(z.string().regex(DOMAIN, 'must be a host such as example.com, *.example.com or localhost:3000'))
    .max(1_000)
    .optional()
    .describe('Pages that may call the flow: example.com, *.example.com. Empty: any.'),
  public: z
    .boolean()
    .optional()
    .meta({ title: 'Chat page', description: 'Whether the share link of its chat page is open.' }),
  rateLimit: rateLimit.nullable().optional().describe('How often the flow may be called; null: no limit.'),
});

const position = z.object({ x: z.number(), y: z.number() });

export const flowNode = z.object({
  id: z
    .string()
    .regex(NODE_ID, 'must be 1 to 128 letters, digits, _ or -')
    .describe('Its name in edges and templates: {{id}}, {{id.output.path}}.'),
  kind: z.string().min(1).max(50).describe('The kind, which says what the node does.'),
  label: z.string().max(200).optional().describe('The name on screen, instead of the id.'),
  config: jsonObject.optional().describe('The settings of the node; texts are templates.'),
  parentNode: z.string().optional().describe('The iteration that this node is part of.'),
  position: position
    .optional()
    .describe('The place in the editor. Without it the graph is laid out automatically.'),
});

export const flowEdge = z.object({
  from: z.string().describe('Id of the node that it leaves.'),
  to: z.string().describe('Id of the node that it leads to.'),
  on: z
    .string()
    .optional()
    .describe('The branch of a branching node that takes this edge: "0", "1", … or "else".'),
});

export const MOST_NOTES = 1_000;
export const LONGEST_NOTE = 10_000;

export const flowNote = z.object({
  text: z.string().max(LONGEST_NOTE).describe('The words of the note.'),
  position: position.describe('The place in the editor.'),
});
export type FlowNote = z.infer<typeof flowNote>;

const MOST_ITEMS = 2_000;
const itemName = z.string().regex(/\S/, 'must not be empty').max(200);
const printedText = (most: number) => z.string().max(most);

/** The flow's part in its reports (contract section 6). */
export const flowReport = z.object({
  items: z
    .partialRecord(z.enum(ROOM_KINDS), z.array(itemName).max(MOST_ITEMS))
    .optional()
    .describe(
      'Kind of room → its items. The observations of a room are printed in this order, others after them. Nothing is printed about an item that nobody described.',
    ),
  defaultSentence: printedText(1_000)
    .optional()
    .describe('Printed once in each room, after its observations: "All items good and clean unless stated."'),
  guidance: printedText(20_000).optional().describe('Printed before the areas: how to read the report.'),
  disclaimers: printedText(20_000).optional().describe('Printed before the areas: what it does not cover.'),
  layout: z
    .enum(LAYOUTS)
    .optional()
    .describe('`compact` sets photographs that no observation cites three a row. A render may name another.'),
});

/** The definition of a flow as an admin writes it (contract section 9). */
export const writtenFlow = z.object({
  id: z
    .string()
    .regex(FLOW_ID, 'must be 3 to 64 letters, digits, _ or -, beginning with a letter or digit')
    .optional()
    .describe('The name of the flow in addresses; made by the service when absent. Cannot be changed.'),
  name: z.string().min(1).max(200).describe('The name on screen.'),
  description: z.string().max(10_000).optional().describe('The purpose of the flow.'),
  enabled: z.boolean().optional().meta({
    title: 'The flow answers calls',
    default: true,
    description:
      'When it is false, calls are answered 503 `flow_disabled`; accepted runs, approvals and renders continue.',
  }),
  price: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .meta({ default: 1, description: 'Credits of one run; 1 when absent.' }),
  account: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ default: 'default', description: 'The account that pays for its runs; "default" when absent.' }),
  access: flowAccess.optional().describe('Who may call the flow.'),
  openai: z.boolean().optional().meta({
    title: 'OpenAI clients',
    description:
      'Whether an open flow is also a model for OpenAI clients; a flow with a key is one for holders of that key.',
  }),
  callbackHosts: z
    .array(z.string().regex(DOMAIN, 'must be a host such as example.com or *.example.com'))
    .max(1_000)
    .optional()
    .describe('Hosts to which answers of async runs may be posted even if the caller sent no key.'),
  webhookCredentialId: z.string().min(1).optional().meta({
    title: 'Webhook credential',
    description: 'Id of the stored credential of the kind "webhook" that signs such answers.',
  }),
  mcp: z
    .object({
      name: z.string().min(1).max(128).describe('The name of the tool.'),
      description: z.string().min(1).max(10_000).describe('Tells a model when to call it.'),
    })
    .optional()
    .meta({
      title: 'MCP tool',
      description: 'Planned: offers the flow as a tool over MCP. Stored, and not used yet.',
    }),
  exposeTrace: z
    .boolean()
    .optional()
    .describe('Whether callers see the input and output of each node (agentFlowExecutedData).'),
  vars: vars.optional(),
  overrides: z
    .array(z.string().regex(OVERRIDE, 'must be nodeId.name, such as llm.model.temperature'))
    .max(1_000)
    .optional()
    .describe('Config values that callers may set through overrideConfig, each as nodeId.name.'),
  chat: jsonObject
    .optional()
    .describe(
      'What chat clients show: starter prompts, feedback, leads, uploads; and brand, the look of the hosted page.',
    ),
  report: flowReport
    .optional()
    .describe('What the reports of its inspections say beside the records, as it stands at the claim.'),
  notes: z
    .array(flowNote)
    .max(MOST_NOTES)
    .optional()
    .describe('Remarks of the authors, shown in the editor beside the nodes.'),
  nodes: z.array(flowNode).min(1).max(MOST_NODES).describe('The steps. One of them is of the kind "start".'),
  edges: z.array(flowEdge).max(MOST_EDGES).default([]).describe('The connections between nodes.'),
});
