import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import { modelConfig } from '../nodes/asking/model-config.js';

const node = z.object({
  id: z.string().max(500),
  type: z.string().optional().catch(undefined),
  parentNode: z.string().nullish().catch(undefined),
  position: z.object({ x: z.number(), y: z.number() }).optional().catch(undefined),
  data: z.object({
    name: z.string().max(500),
    label: z.string().optional().catch(undefined),
    credential: z.string().optional().catch(undefined),
    inputs: jsonObject.optional().catch(undefined),
  }),
});

const edge = z.object({
  source: z.string(),
  target: z.string(),
  sourceHandle: z.string().nullish().catch(undefined),
});

/** The parts of a Flowise AgentFlow V2 export that are read. */
const agentflowExport = z.object({
  name: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  nodes: z
    .array(node, 'must be the nodes of an AgentFlow V2 export')
    .min(1)
    .max(2_000, 'must be at most 2,000 nodes'),
  edges: z.preprocess((given) => given || [], z.array(edge).max(10_000)),
});

const wrapped = z.object({ export: agentflowExport });

/** Options beside `export`, or beside the nodes of the export itself. */
export const importWishes = z.object({
  name: z.string().min(1).max(200).optional(),
  id: z.string().optional(),
  onConflict: z
    .enum(['replace', 'copy'])
    .optional()
    .describe('If a flow with this id exists: replace its definition, or store the import under a new id.'),
  models: z
    .record(z.string(), modelConfig)
    .optional()
    .describe('Models to use instead, by their class in the export (chatOpenAI); "*" for all others.'),
});

export type AgentflowExport = z.infer<typeof agentflowExport>;
export type ExportedNode = AgentflowExport['nodes'][number];

/** Options of an import: names of flows, models for their nodes, and the treatment of flows whose id exists. */
export type ImportWishes = z.infer<typeof importWishes>;

/** The body of the import route: `{ name?, id?, models?, export }`, or the export itself with the others beside its nodes. */
export const importBody = z
  .unknown()
  .transform((body, context): { given: AgentflowExport; wishes: ImportWishes } => {
    const isWrapped = typeof body === 'object' && body !== null && Object.hasOwn(body, 'export');
    const wished = importWishes.safeParse(body);
    const given = isWrapped ? wrapped.safeParse(body) : agentflowExport.safeParse(body);
    for (const issue of [...(wished.error?.issues ?? []), ...(given.error?.issues ?? [])])
      context.issues.push({ code: 'custom', input: body, path: issue.path, message: issue.message });
    if (!given.success || !wished.success) return z.NEVER;
    return { given: 'export' in given.data ? given.data.export : given.data, wishes: wished.data };
  });
