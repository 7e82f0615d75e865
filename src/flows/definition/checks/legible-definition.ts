import type { z } from 'zod';
import { MOST_EDGES, MOST_NODES } from '../../../api/flow-definition.js';
import { type FlowDefinition, flowDefinition } from '../flow-definition.js';

type Members = Record<string, unknown>;

const { nodes, edges, ...others } = flowDefinition.shape;
const [node, edge] = [nodes.element, edges.unwrap().element];
const access = others.access.unwrap();

/**
 * Reads the valid members of a definition that breaks its schema, so that its other faults are found as well. Nodes and
 * edges keep their indexes; a node without a readable id gets a unique one. Returns undefined when there are more nodes or
 * edges than a flow may have.
 */
export function legibleDefinition(value: unknown): FlowDefinition | undefined {
  const written = membersOf(value);
  const [writtenNodes, writtenEdges] = [listOf(written['nodes']), listOf(written['edges'])];
  if (writtenNodes.length > MOST_NODES || writtenEdges.length > MOST_EDGES) return undefined;
  return {
    name: '',
    ...legible(others, written),
    ...('access' in written ? { access: legible(access.shape, membersOf(written['access'])) } : {}),
    ...('overrides' in written ? { overrides: listOf(written['overrides']).map(textOf) } : {}),
    nodes: writtenNodes.map((each, index) => {
      const members = membersOf(each);
      const { id, kind } = members;
      return {
        ...legible(node.shape, members),
        id: typeof id === 'string' ? id : `node ${index}`,
        kind: textOf(kind),
      };
    }),
    edges: writtenEdges.map((each) => {
      const members = membersOf(each);
      return { ...legible(edge.shape, members), from: textOf(members['from']), to: textOf(members['to']) };
    }),
  };
}

/** Returns the members that fit their schemas. */
function legible<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  written: Members,
): { [Name in keyof Shape]?: z.infer<Shape[Name]> } {
  const found: Members = {};
  for (const [name, schema] of Object.entries(shape)) {
    const read = schema.safeParse(written[name]);
    if (read.success && read.data !== undefined) found[name] = read.data;
  }
  return found as { [Name in keyof Shape]?: z.infer<Shape[Name]> };
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
