import { z } from 'zod';
import {
  flowAccess,
  flowEdge,
  flowNode,
  flowNote,
  flowReport,
  rateLimit,
  writtenFlow,
} from './flow-definition.js';
import { FLOW_MEMBERS, type FlowSetting } from './flow-terms.js';
import { timestamp } from './shapes.js';
import { warning } from './warnings.js';

/** Access rules with every default in place. */
const accessRules = z.strictObject({
  ...flowAccess.required().shape,
  rateLimit: z.strictObject(rateLimit.shape).nullable(),
});
export type AccessRules = z.infer<typeof accessRules>;

const position = z.strictObject(flowNode.shape.position.unwrap().shape);

/** Members of a version, as they are answered. */
const content = {
  vars: writtenFlow.shape.vars,
  overrides: writtenFlow.shape.overrides,
  chat: writtenFlow.shape.chat,
  report: z.strictObject(flowReport.shape).optional(),
  notes: z.array(z.strictObject({ ...flowNote.shape, position })).optional(),
  nodes: z.array(z.strictObject({ ...flowNode.shape, position: position.optional() })),
  edges: z.array(z.strictObject(flowEdge.shape)),
};

const versionNumber = z.int().min(1);

/** A version that a caller names: up to nine digits, which a column of four bytes holds. */
export const namedVersion = versionNumber.max(999_999_999);

/** The published definition and the settings, with members that only the store knows; `PUT` ignores those. */
export const flow = z
  .strictObject({
    ...writtenFlow.shape,
    ...content,
    id: z.string(),
    price: z.int(),
    account: z.string(),
    access: accessRules,
    mcp: z.strictObject(writtenFlow.shape.mcp.unwrap().shape).optional(),
    version: versionNumber.describe('The published version.'),
    draft: z.boolean().describe('There is a draft, at `…/draft`.'),
    revision: z.string().describe('Another one after each change; `If-Match` takes it.'),
    isStreaming: z.boolean().describe('The flow ends in a streamable node.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Flow' });
export type FlowView = z.infer<typeof flow>;
export type FlowNode = FlowView['nodes'][number];
export type FlowEdge = FlowView['edges'][number];

export const flowSummary = flow.omit({ nodes: true, edges: true, notes: true }).meta({ id: 'FlowSummary' });
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

const author = z.string().describe('The `author` that was sent, else `admin`.');
const fault = z.strictObject({ path: z.string(), message: z.string() });

/** A draft may be incomplete, so its members may have any form. */
export const flowDraft = z
  .looseObject({
    id: z.string(),
    revision: z.string().describe('Another one after each save; `If-Match` takes it.'),
    basedOn: versionNumber.describe('The version that was published when the draft was begun.'),
    by: author,
    updatedAt: timestamp,
    nodes: z.unknown().optional(),
    edges: z.unknown().optional(),
    isStreaming: z.boolean().describe('The draft ends in a streamable node; false while it has faults.'),
    errors: z.array(fault).describe('The draft cannot be published until there are none.'),
    warnings: z.array(warning).exactOptional(),
  })
  .meta({ id: 'FlowDraft' });
export type FlowDraftView = z.infer<typeof flowDraft>;

/** The version that a run names; a form can only send its number as text. */
export const wantedVersion = z
  .union([
    z.literal('draft'),
    namedVersion,
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number),
  ])
  .optional()
  .describe('Number of a version, or `draft`; the published version when absent.');

export const versionSummary = z
  .strictObject({
    version: versionNumber,
    name: z.string().exactOptional(),
    note: z.string().exactOptional(),
    publishedAt: timestamp,
    by: author,
  })
  .meta({ id: 'FlowVersionSummary' });
export type VersionSummary = z.infer<typeof versionSummary>;

export const flowVersion = versionSummary.extend(content).meta({ id: 'FlowVersion' });
export type FlowVersionView = z.infer<typeof flowVersion>;

const SETTINGS = Object.entries(FLOW_MEMBERS).flatMap(([name, place]) =>
  place === 'setting' ? [name as FlowSetting] : [],
);

export const settingChange = z
  .strictObject({
    at: timestamp,
    by: author,
    setting: z.enum(SETTINGS),
    old: z.unknown().describe('null: it was absent.'),
    new: z.unknown().describe('null: it was removed.'),
  })
  .meta({ id: 'FlowSettingChange' });
export type SettingChange = z.infer<typeof settingChange>;
