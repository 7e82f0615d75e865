import { checkDefinition } from '../../flows/definition/checks/check-definition.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { NodeKinds } from '../../flows/engine/node/node-kind.js';
import type { Json } from '../../flows/engine/json.js';
import { type ImportedFlow, importFlow } from '../../flows/import/import-flow.js';
import type { BroughtAlong } from '../../flows/import/imported-node.js';
import { atOnce } from '../../common/pausing.js';
import type { Warning } from '../../common/warnings.js';
import type { Fault } from '../../common/service-error.js';
import { isMembers } from '../belongings/members.js';
import { type ForeignVariables, type VariableUse, variablesReadIn } from '../belongings/read-variables.js';
import { columnJson } from '../source/row-values.js';
import { enabledIn, type LeftOf, movedAccess, overridesOf } from './access-settings.js';
import { movedChat, tellLostSettings } from './chat-settings.js';
import type { ForeignFlow } from './foreign-flow.js';
import { movedOverrides } from './override-settings.js';

/** Everything that flows name and that stands beside them. */
export interface House extends BroughtAlong {
  /** Ids of the API keys that open flows here. */
  keys: ReadonlySet<string>;
  variables: ForeignVariables;
}

/** A flow of the other side as one of this. */
export interface MovedFlow {
  definition: FlowDefinition;
  /** The parts of its graph that came otherwise than they were. */
  warnings: Warning[];
  reads: VariableUse;
}

/** Converts a flow with its settings (contract section 9, "Moving house"); or says why it cannot come. */
export function movedFlow(
  flow: ForeignFlow,
  kinds: NodeKinds,
  house: House,
  left: LeftOf,
): MovedFlow | { why: string } {
  if (flow.type !== 'AGENTFLOW')
    return { why: `type ${flow.type.slice(0, 40)}: a graph of another kind of nodes` };
  const graph = columnJson(flow.graph);
  if (graph === 'broken' || !isMembers(graph.value))
    return { why: 'its graph is no JSON, or is nested too deep' };
  const name = flow.name.slice(0, 200).toWellFormed();
  const { nodes = [], edges = [], description } = graph.value;
  const body = { id: flow.id, name, export: { nodes, edges, ...(description ? { description } : {}) } };
  const imported = atOnce(importFlow(body, kinds, house));
  if ('faults' in imported) return { why: `its graph cannot be read: ${sentence(imported.faults)}` };
  const reads = variablesReadIn(JSON.stringify(imported.definition));
  const whole = withSettings(flow, imported, {
    nodes: Array.isArray(nodes) ? nodes : [],
    reads,
    house,
    left,
  });
  const checked = checkDefinition(whole, kinds);
  if ('faults' in checked)
    return { why: `it cannot run as it is: ${sentence(imported.locate(checked.faults))}` };
  if (name !== flow.name) left('its name was cut to 200 characters');
  tellLostSettings(flow, left);
  return { definition: checked.definition, warnings: imported.warnings, reads };
}

function withSettings(
  flow: ForeignFlow,
  { definition }: ImportedFlow,
  { nodes, reads, house, left }: { nodes: Json[]; reads: VariableUse; house: House; left: LeftOf },
): Record<string, unknown> {
  const made = definition['nodes'] as FlowDefinition['nodes'];
  const vars = movedVars(flow, reads, house.variables);
  const overrides = movedOverrides(flow, made, left);
  const chat = movedChat(flow, nodes);
  return {
    ...definition,
    access: movedAccess(flow, house.keys, left),
    ...(Object.keys(vars).length > 0 ? { vars } : {}),
    ...(overrides.length > 0 ? { overrides } : {}),
    ...(Object.keys(chat).length > 0 ? { chat } : {}),
  };
}

/** Those that the flow reads and that have a value there; a caller may set those that the flow lets callers set. */
function movedVars(
  flow: ForeignFlow,
  { reads }: VariableUse,
  variables: ForeignVariables,
): NonNullable<FlowDefinition['vars']> {
  const open = new Set(enabledIn(overridesOf(flow)['variables']));
  const own = [...(variables.get(flow.workspaceId) ?? new Map<never, never>()).values()];
  return Object.fromEntries(
    own
      .filter(({ name, runtime }) => !runtime && reads(name))
      .map(({ name, value }) => [name, { value, ...(open.has(name) ? {} : { locked: true }) }]),
  );
}

const sentence = (faults: readonly Fault[]): string =>
  faults
    .slice(0, 3)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ') + (faults.length > 3 ? ` and ${faults.length - 3} more` : '');
