import { z } from 'zod';
import { jsonObject } from '../definition/flow-definition.js';

const node = z.object({
  id: z.string().max(500),
  type: z.string().optional(),
  parentNode: z.string().nullish(),
  position: z.object({ x: z.number(), y: z.number() }).optional().catch(undefined),
  data: z.object({
    name: z.string().max(500),
    label: z.string().optional().catch(undefined),
    inputs: jsonObject.optional().catch(undefined),
  }),
});

const edge = z.object({
  source: z.string(),
  target: z.string(),
  sourceHandle: z.string().nullish(),
});

/** What a Flowise AgentFlow V2 export is, as far as it is read. */
export const agentflowExport = z.object({
  description: z.string().optional().catch(undefined),
  nodes: z.array(node, 'must be the nodes of an AgentFlow V2 export').min(1).max(2_000),
  edges: z.array(edge).max(10_000).default([]),
});

/** `{ name?, id?, export }`. */
const wrapped = z.object({ export: agentflowExport });

/** The export itself, with `name` and `id` beside it. */
const naming = z.object({ name: z.string().min(1).max(200).optional(), id: z.string().optional() });

export type AgentflowExport = z.infer<typeof agentflowExport>;
export type ExportedNode = AgentflowExport['nodes'][number];

/** How the imported flow is to be called. */
export type ImportNames = z.infer<typeof naming>;

/** The body of the import route: the export itself, or `{ name?, id?, export }`. */
export const importBody = z
  .unknown()
  .transform((body, context): { given: AgentflowExport; names: ImportNames } => {
    const isWrapped = typeof body === 'object' && body !== null && Object.hasOwn(body, 'export');
    const names = naming.safeParse(body);
    const given = isWrapped ? wrapped.safeParse(body) : agentflowExport.safeParse(body);
    for (const issue of [...(names.error?.issues ?? []), ...(given.error?.issues ?? [])])
      context.issues.push({ code: 'custom', input: body, path: issue.path, message: issue.message });
    if (!given.success || !names.success) return z.NEVER;
    return { given: 'export' in given.data ? given.data.export : given.data, names: names.data };
  });
