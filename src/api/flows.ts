import { z } from 'zod';
import { flowAccess, flowEdge, flowNode, rateLimit, writtenFlow } from './flow-definition.js';
import { timestamp } from './shapes.js';
import { warning } from './warnings.js';

/** Access rules with every default in place. */
const accessRules = z.strictObject({
  ...flowAccess.required().shape,
  rateLimit: z.strictObject(rateLimit.shape).nullable(),
});
export type AccessRules = z.infer<typeof accessRules>;

/** The definition, with members that only the store knows; `PUT` ignores those. */
export const flow = z
  .strictObject({
    ...writtenFlow.shape,
    nodes: z.array(
      z.strictObject({
        ...flowNode.shape,
        position: z.strictObject(flowNode.shape.position.unwrap().shape).optional(),
      }),
    ),
    edges: z.array(z.strictObject(flowEdge.shape)),
    id: z.string(),
    price: z.int(),
    account: z.string(),
    access: accessRules,
    revision: z.string().describe('Another one after each change; `If-Match` takes it.'),
    isStreaming: z.boolean().describe('The flow ends in a streamable node.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Flow' });
export type FlowView = z.infer<typeof flow>;
export type FlowNode = FlowView['nodes'][number];
export type FlowEdge = FlowView['edges'][number];

export const flowSummary = flow.omit({ nodes: true, edges: true }).meta({ id: 'FlowSummary' });
export type FlowSummary = z.infer<typeof flowSummary>;

export const savedFlow = flow
  .extend({
    warnings: z
      .array(warning)
      .exactOptional()
      .describe('References to what is missing, nodes that nothing leads to, members that nobody reads.'),
  })
  .meta({ id: 'SavedFlow' });
export type SavedFlow = z.infer<typeof savedFlow>;

/** The flows of an “export all” file. */
const importedFile = z.strictObject({
  flows: z.array(z.strictObject({ id: z.string(), name: z.string(), warnings: z.array(warning) })),
  warnings: z.array(warning).exactOptional().describe('What else the file held.'),
});

export const importedFlows = z.union([savedFlow, importedFile]).meta({ id: 'ImportedFlows' });
export type ImportedFlows = z.infer<typeof importedFlows>;

export const checkedFlow = z
  .strictObject({
    errors: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .describe('None: the definition can be saved.'),
    warnings: z.array(warning),
  })
  .meta({ id: 'CheckedFlow' });
export type CheckedFlow = z.infer<typeof checkedFlow>;

/** JSON Schema: `properties.nodes.items.anyOf` holds one schema for each kind of node. */
export const flowSchema = z
  .looseObject({ $schema: z.string(), properties: z.looseObject({}) })
  .meta({ id: 'FlowSchema' });
