import { type Warning, Warnings } from '../../common/warnings.js';
import { nodeWarning, titleOf, type WarnOf } from './import-warnings.js';
import { faultsOf } from '../../common/plain-faults.js';
import type { Fault } from '../../common/service-error.js';
import type { Json } from '../engine/json.js';
import { type AgentflowExport, type ExportedNode, importBody, type ImportNames } from './agentflow-export.js';
import { importedConfig } from './imported-config.js';
import { rowsOf } from './imported-texts.js';

const STICKY_NOTE = 'stickyNoteAgentflow';

/** A definition made from an export; not yet checked, so that a kind which this version lacks may stand in it. */
export interface ImportedFlow {
  definition: Record<string, unknown>;
  /** What was not carried over. */
  warnings: Warning[];
  /** Faults of the definition, as the sender of the export can find them. */
  locate: (faults: readonly Fault[]) => Fault[];
}

/**
 * Reads the body of the import route, and converts its export (contract section 8). Pure: nothing is stored or fetched.
 * At most 100 faults of a body that is no export.
 */
export function importFlow(body: unknown): ImportedFlow | { faults: Fault[] } {
  const parsed = importBody.safeParse(body);
  if (parsed.success) return converted(parsed.data.given, parsed.data.names);
  return { faults: faultsOf(parsed.error) };
}

function converted(given: AgentflowExport, names: ImportNames): ImportedFlow {
  const warnings = new Warnings();
  const variables = new Set<string>();
  const kept = given.nodes.map((node, index) => ({ node, index })).filter(({ node }) => !isNote(node));
  const nodes = kept.map(({ node, index }) =>
    convertedNode(node, variables, (code, clause) => warnings.add(nodeWarning(node, index, code, clause))),
  );
  warnings.add(...ofTheWhole(nodes, variables));
  const notes = new Set(given.nodes.filter(isNote).map(({ id }) => id));
  const edges = given.edges
    .map((edge, index) => ({ edge, index }))
    .filter(({ edge }) => !notes.has(edge.source) && !notes.has(edge.target));
  const byId = new Map(given.nodes.map((node) => [node.id, node]));
  const definition = {
    ...(names.id === undefined ? {} : { id: names.id }),
    name: names.name ?? 'Imported flow',
    ...(given.description ? { description: given.description.slice(0, 10_000) } : {}),
    nodes,
    edges: edges.map(({ edge }) => {
      const on = branchOf(byId.get(edge.source), edge.sourceHandle);
      return { from: edge.source, to: edge.target, ...(on === undefined ? {} : { on }) };
    }),
  };
  return {
    definition,
    warnings: warnings.list(),
    locate: (faults) =>
      faults.map((fault) =>
        located(
          fault,
          { nodes: kept.map(({ index }) => index), edges: edges.map(({ index }) => index) },
          given,
        ),
      ),
  };
}

const isNote = ({ data, type }: ExportedNode): boolean => data.name === STICKY_NOTE || type === 'stickyNote';

function convertedNode(node: ExportedNode, variables: Set<string>, warn: WarnOf) {
  const { id, parentNode, position, data } = node;
  const inputs = data.inputs ?? {};
  return {
    id,
    ...importedConfig(data.name, { inputs, variables, warn }),
    ...(data.label ? { label: data.label.slice(0, 200) } : {}),
    ...(parentNode ? { parentNode } : {}),
    ...(position ? { position } : {}),
  };
}

/** Branches are numbered in the handle, `<node id>-output-<number>`; the number after the last condition is "else". */
function branchOf(source: ExportedNode | undefined, handle: string | null | undefined): string | undefined {
  const mark = '-output-';
  const at = handle?.lastIndexOf(mark) ?? -1;
  const number = at < 0 ? '' : handle!.slice(at + mark.length);
  if (!source || !/^\d{1,4}$/.test(number)) return undefined;
  switch (source.data.name) {
    case 'conditionAgentflow':
      return Number(number) === rowsOf(source.data.inputs?.['conditions']).length ? 'else' : number;
    case 'humanInputAgentflow':
      return number === '0' ? 'proceed' : 'reject';
    default:
      return number;
  }
}

/** What concerns several nodes, said once. */
function ofTheWhole(
  nodes: readonly { id: string; config: Record<string, Json> }[],
  variables: ReadonlySet<string>,
): Warning[] {
  const asking = nodes.filter(({ config }) => 'model' in config).map(({ id }) => id);
  return [
    ...(asking.length > 0
      ? [
          {
            code: 'credentials_missing',
            message: `Credentials are never in an export: set model.credentialId of ${asking.join(', ')}.`,
          },
        ]
      : []),
    ...(variables.size > 0
      ? [
          {
            code: 'variables_missing',
            message: `Variables are never in an export: set vars for ${[...variables].join(', ')}.`,
            path: 'vars',
          },
        ]
      : []),
  ];
}

/** Names the node, and counts nodes and edges as the export does. */
function located(
  { path, message }: Fault,
  indexes: { nodes: readonly number[]; edges: readonly number[] },
  given: AgentflowExport,
): Fault {
  const [list, number, ...rest] = path.split('.');
  const index = list === 'nodes' || list === 'edges' ? indexes[list][Number(number)] : undefined;
  if (index === undefined) return { path, message };
  const node = list === 'nodes' ? given.nodes[index] : undefined;
  return {
    path: [list, index, ...rest].join('.'),
    message: node ? `${titleOf(node)}: ${message}` : message,
  };
}
