import { parseInTurns } from '../../../common/json/json-buffer.js';
import { storableText } from '../../../common/json/json-text.js';
import { ServiceError } from '../../../common/service-error.js';
import type { Warning } from '../../../common/warnings.js';
import { isJsonObject } from '../../engine/json.js';
import type { ImportWishes } from '../agentflow-export.js';
import type { ImportedFlow } from '../import-flow.js';
import type { ImportedDependencies } from '../imported-node.js';
import { reportLostSettings } from '../rows/chat-settings.js';
import { readForeignFlow } from '../rows/foreign-flow.js';
import type { Members } from '../rows/members.js';
import { variablesReadIn, withRowSettings } from '../rows/row-settings.js';
import type { FileBelongings } from './file-belongings.js';

type Graph = { value: Members; isEmpty: boolean } | { fault: string };

/** A row of flows for an import; an id or name in the request takes precedence. */
export interface RowFlow {
  id: string | undefined;
  name: string;
  /** Parses `flowData`. Throws 413 beyond `mostValues` values. */
  graph(mostValues: number): Promise<Graph>;
}

export function readRowFlow(row: Members, wishes: ImportWishes): RowFlow {
  const { flowData } = row;
  const own = typeof row['id'] === 'string' && row['id'] !== '' ? row['id'] : undefined;
  const { name } = settingsOf(row);
  return {
    id: wishes.id ?? own,
    name: wishes.name ?? (name.trim() === '' ? 'Imported flow' : name),
    graph: async (mostValues) => {
      if (typeof flowData !== 'string') return graphOf(flowData);
      try {
        return graphOf(await parseInTurns(flowData, mostValues));
      } catch (error) {
        if (error instanceof ServiceError && error.status === 400)
          return {
            fault:
              'is not JSON that can be read: it must be the text of { nodes, edges }, nested at most 64 levels deep',
          };
        throw error;
      }
    },
  };
}

function graphOf(value: unknown): Graph {
  if (typeof value === 'string')
    return {
      fault: 'holds JSON inside of a JSON text, encoded twice: send the text of { nodes, edges } itself',
    };
  const graph = value as Members | null | undefined;
  if (typeof graph !== 'object' || graph === null || Array.isArray(graph))
    return { fault: 'must be the text of a graph: { nodes, edges }' };
  const { nodes = [], edges = [], description } = graph;
  return {
    value: { nodes, edges, ...(typeof description === 'string' ? { description } : {}) },
    isEmpty: Array.isArray(nodes) && nodes.length === 0,
  };
}

/** Returns the settings of a row, with its name cut to the length of a flow's name. */
function settingsOf(row: Members) {
  const flow = readForeignFlow({ ...row, id: 'row', flowData: '', workspaceId: '' })!;
  const name = typeof row['name'] === 'string' ? row['name'] : '';
  return { ...flow, name: storableText(name.trim()).slice(0, 200).toWellFormed() };
}

/** Returns the definition with the settings of the row, and warnings of lost settings. */
export function rowDefinition(
  { row, flow, graph }: { row: Members; flow: RowFlow; graph: Members },
  { definition }: ImportedFlow,
  belongings: FileBelongings,
  { isReplaced, dependencies }: { isReplaced: boolean; dependencies: ImportedDependencies },
): { definition: Record<string, unknown>; lost: Warning[] } {
  const lost: Warning[] = [];
  const left = (why: string) =>
    void lost.push({ code: 'not_carried_over', message: `The flow "${flow.name}": ${why}.` });
  const reads = variablesReadIn(JSON.stringify(definition));
  belongings.note(reads);
  const nodes = Array.isArray(graph['nodes']) ? graph['nodes'] : [];
  const settings = { ...settingsOf(row), graph: nodes.length > 0 ? 'allowImageUploads' : '' };
  const settled = { ...dependencies, keys: { has: () => true }, variables: belongings.variables };
  // A replaced flow keeps its access, so that of the row is not lost.
  const whole = withRowSettings(settings, definition, {
    nodes,
    reads,
    dependencies: settled,
    left: isReplaced ? () => undefined : left,
  });
  reportLostSettings(settings, left);
  if (isJsonObject(row) && typeof row['name'] === 'string' && row['name'].length > 200)
    left('its name was cut to 200 characters');
  return { definition: whole, lost };
}
