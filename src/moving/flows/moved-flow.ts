import { atOnce } from '../../common/pausing.js';
import type { Fault } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { checkDefinition } from '../../flows/definition/checks/check-definition.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { isJsonObject } from '../../flows/engine/json.js';
import type { NodeKinds } from '../../flows/engine/node-kind.js';
import { importFlow } from '../../flows/import/import-flow.js';
import type { LeftOf } from '../../flows/import/rows/access-settings.js';
import { reportLostSettings } from '../../flows/import/rows/chat-settings.js';
import type { ForeignFlow } from '../../flows/import/rows/foreign-flow.js';
import {
  type FlowDependencies,
  type VariableUse,
  variablesReadIn,
  withRowSettings,
} from '../../flows/import/rows/row-settings.js';
import { columnJson } from '../../flows/import/rows/row-values.js';

/** A converted flow. */
export interface MovedFlow {
  definition: FlowDefinition;
  /** Warnings about parts of its graph that were changed. */
  warnings: Warning[];
  reads: VariableUse;
}

/** Converts a flow with its settings (contract section 9, "Import"), or returns why it cannot be moved. */
export function movedFlow(
  flow: ForeignFlow,
  kinds: NodeKinds,
  dependencies: FlowDependencies,
  left: LeftOf,
): MovedFlow | { why: string } {
  if (flow.type !== 'AGENTFLOW') return { why: `type ${flow.type.slice(0, 40)} has other kinds of nodes` };
  const graph = columnJson(flow.graph);
  if (graph === 'broken' || !isJsonObject(graph.value))
    return { why: 'its graph is not JSON, or is nested too deeply' };
  const name = flow.name.slice(0, 200).toWellFormed();
  const { nodes = [], edges = [], description } = graph.value;
  const body = { id: flow.id, name, export: { nodes, edges, ...(description ? { description } : {}) } };
  const imported = atOnce(importFlow(body, kinds, dependencies));
  if ('faults' in imported) return { why: `its graph cannot be read: ${sentence(imported.faults)}` };
  const reads = variablesReadIn(JSON.stringify(imported.definition));
  const whole = withRowSettings(flow, imported.definition, {
    nodes: Array.isArray(nodes) ? nodes : [],
    reads,
    dependencies,
    left,
  });
  const checked = checkDefinition(whole, kinds);
  if ('faults' in checked)
    return { why: `it cannot run as it is: ${sentence(imported.locate(checked.faults))}` };
  if (name !== flow.name) left('its name was cut to 200 characters');
  reportLostSettings(flow, left);
  return { definition: checked.definition, warnings: imported.warnings, reads };
}

const sentence = (faults: readonly Fault[]): string =>
  faults
    .slice(0, 3)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ') + (faults.length > 3 ? ` and ${faults.length - 3} more` : '');
