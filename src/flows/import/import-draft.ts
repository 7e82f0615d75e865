import type { FlowNote } from '../../api/flow-definition.js';
import type { Fault } from '../../common/service-error.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import type { Json } from '../engine/json.js';
import type { AgentflowExport, ExportedNode } from './agentflow-export.js';
import { nodeWarning, titleOf } from './import-warnings.js';

/** A node during the conversion; `origin` is its index in the export. */
export interface DraftNode {
  origin: number;
  id: string;
  kind: string;
  config: Record<string, Json>;
  label?: string;
  parentNode?: string;
  position?: { x: number; y: number };
}

export interface DraftEdge {
  origin: number;
  from: string;
  to: string;
  on?: string;
}

/** A flow during the conversion of an export; each node and edge has its place in the export. */
export class ImportDraft {
  nodes: DraftNode[] = [];
  edges: DraftEdge[] = [];
  notes: FlowNote[] = [];
  readonly warnings = new Warnings();
  /** Names of `$vars` that texts read. */
  readonly variables = new Set<string>();

  constructor(
    private readonly given: AgentflowExport,
    private readonly head: Record<string, Json>,
  ) {}

  definition(): Record<string, unknown> {
    return {
      ...this.head,
      nodes: this.nodes.map(({ origin: _, ...node }) => node),
      edges: this.edges.map(({ origin: _, ...edge }) => edge),
      ...(this.notes.length > 0 ? { notes: this.notes } : {}),
    };
  }

  originalOf({ origin }: { origin: number }): ExportedNode {
    return this.given.nodes[origin]!;
  }

  branchesFrom(id: string): string[] {
    return this.edges.flatMap(({ from, on }) => (from === id && on !== undefined ? [on] : []));
  }

  warn(node: { origin: number }, code: string, clause: string, more?: { suggestion?: string }): void {
    this.warnings.add({ ...nodeWarning(this.originalOf(node), node.origin, code, clause), ...more });
  }

  warnOfEdge({ origin, from, to }: DraftEdge, reason: string): void {
    this.warnings.add({
      code: 'edge_left_out',
      message: `The edge from "${from.slice(0, 100)}" to "${to.slice(0, 100)}" was left out: ${reason}.`,
      path: `edges[${origin}]`,
    });
  }

  /** Warns of missing credentials and variables once for all nodes; `known` variables have a value. */
  warnOfTheWhole(known?: { has(name: string): boolean }): void {
    const withoutCredential = this.nodes.filter(
      ({ config: { model } }) => isModel(model) && !model['credentialId'],
    );
    if (withoutCredential.length > 0)
      this.warnings.add({
        code: 'credentials_missing',
        message: `Exports never contain credentials. Set model.credentialId of ${listed(withoutCredential.map(({ id }) => id))}.`,
      });
    const variables = [...this.variables].filter((name) => !known?.has(name));
    if (variables.length > 0)
      this.warnings.add({
        code: 'variables_missing',
        message: `The export does not contain the values of variables. Set vars for ${listed(variables)}.`,
        path: 'vars',
      });
  }

  /** Returns a warning with the place of its node or edge in the export. */
  relocated({ path, ...warning }: Warning): Warning {
    const [, list, number] = /^(nodes|edges)\[(\d+)\]/.exec(path ?? '') ?? [];
    const place = list === 'nodes' ? this.nodes[Number(number)] : this.edges[Number(number)];
    return list && place ? { ...warning, path: `${list}[${place.origin}]` } : warning;
  }

  /** Returns a fault with the title of its node and the place in the export. */
  located({ path, message }: Fault): Fault {
    const [list, number, ...rest] = path.split('.');
    const places = list === 'nodes' ? this.nodes : list === 'edges' ? this.edges : [];
    const place = places[Number(number)];
    if (!place) return { path, message };
    return {
      path: [list, place.origin, ...rest].join('.'),
      message: list === 'nodes' ? `${titleOf(this.originalOf(place))}: ${message}` : message,
    };
  }
}

const MOST_NAMES = 50;

const listed = (names: readonly string[]): string =>
  names
    .slice(0, MOST_NAMES)
    .map((name) => name.slice(0, 128))
    .join(', ') + (names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '');

const isModel = (model: Json | undefined): model is Record<string, Json> =>
  typeof model === 'object' && model !== null && !Array.isArray(model);

/**
 * Makes the node a placeholder (contract section 9), which keeps its place, label, branches and inputs. `why` is a clause
 * that follows its name in the export.
 */
export function placeholder(draft: ImportDraft, node: DraftNode, why: string): void {
  const { name, inputs } = draft.originalOf(node).data;
  draft.warn(
    node,
    'node_missing',
    `"${name.slice(0, 100)}" ${why}; a placeholder stores its settings, and a run that reaches it fails`,
  );
  const branches = [...new Set(draft.branchesFrom(node.id))];
  node.kind = 'missing';
  node.config = {
    original: name || 'unnamed',
    ...(inputs ? { settings: inputs } : {}),
    ...(branches.length > 0 ? { branches } : {}),
  };
}
