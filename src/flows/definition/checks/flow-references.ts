import type { Fault } from '../../../common/service-error.js';
import type { Json } from '../../engine/json.js';
import type { FlowDefinition } from '../flow-definition.js';

interface Reference {
  path: string;
  flowId: string;
}

/** Returns a fault for every flow that a checked definition runs and that does not exist. */
export async function flowFaults(
  definition: FlowDefinition,
  exists: (flowId: string) => Promise<boolean>,
): Promise<Fault[]> {
  const references = referencesOf(definition).filter(({ flowId }) => flowId !== definition.id);
  const ids = [...new Set(references.map(({ flowId }) => flowId))];
  const known = await Promise.all(ids.map(exists));
  const missing = new Set(ids.filter((_, index) => !known[index]));
  return references
    .filter(({ flowId }) => missing.has(flowId))
    .map(({ path, flowId }) => ({ path, message: `there is no flow "${flowId}"` }));
}

const known = new WeakMap<FlowDefinition, readonly string[]>();

/** Returns the ids of the flows that a definition runs. */
export function calledFlowsOf(definition: FlowDefinition): readonly string[] {
  let ids = known.get(definition);
  if (!ids) known.set(definition, (ids = referencesOf(definition).map(({ flowId }) => flowId)));
  return ids;
}

const referencesOf = ({ nodes }: FlowDefinition): Reference[] =>
  nodes.flatMap(({ kind, config = {} }, index) => {
    const path = `nodes.${index}.config`;
    const { flowId } = config;
    const own =
      kind === 'execute-flow' && typeof flowId === 'string' ? [{ path: `${path}.flowId`, flowId }] : [];
    return [...own, ...inTools(config, path)];
  });

/** Finds tools that run a flow anywhere in a config. The recursion is bounded by the depth of JSON from outside. */
function inTools(value: Json, path: string): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  const { tool, flowId } = Array.isArray(value) ? {} : value;
  if (tool === 'flow' && typeof flowId === 'string') return [{ path: `${path}.flowId`, flowId }];
  return Object.entries(value).flatMap(([name, member]) => inTools(member, `${path}.${name}`));
}
