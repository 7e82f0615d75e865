import type { FlowEdge, FlowNode } from '../../../src/api/flows.js';

/** The input of the picture: a definition from the API, or one that is still being typed. */
export interface Drawing {
  nodes: readonly FlowNode[];
  edges?: readonly FlowEdge[];
}

/** The state of a node in a run. */
export interface NodeState {
  /** `running`, `succeeded`, `failed`, `stopped` or `waiting`; others are shown unchanged. */
  status: string;
  durationMs?: number | null;
  /** Its position in the run, from 0. */
  order?: number;
  /** The branches taken. Without them, an edge counts as taken when both its ends ran. */
  branches?: readonly string[];
}

export type NodeStates = ReadonlyMap<string, NodeState>;

export interface PictureEdge extends FlowEdge {
  id: string;
  /** Leads from a loop back to the node that its `backTo` names. No edge of the definition. */
  isBack?: true;
}

export interface Picture {
  nodes: readonly FlowNode[];
  edges: readonly PictureEdge[];
}

/**
 * Returns the drawable part of a definition, which may be incomplete: the first node of each id, edges between existing
 * nodes, and parents that exist and are not their own ancestors.
 */
export function pictureOf({ nodes, edges = [] }: Drawing): Picture {
  const byId = new Map<string, FlowNode>();
  for (const node of nodes) if (!byId.has(node.id)) byId.set(node.id, node);
  const shown = [...byId.values()].map((node) => (hasSoundParents(node, byId) ? node : outermost(node)));
  const parentOf = new Map(shown.map((node) => [node.id, node.parentNode]));
  const isDrawable = ({ from, to }: FlowEdge) =>
    from !== to && byId.has(from) && byId.has(to) && parentOf.get(from) === parentOf.get(to);
  return {
    nodes: shown,
    edges: [
      ...edges.filter(isDrawable).map((edge, index) => ({ ...edge, id: String(index) })),
      ...shown.flatMap(backEdge).filter(isDrawable),
    ],
  };
}

function backEdge({ id, kind, config }: FlowNode): PictureEdge[] {
  const backTo = kind === 'loop' ? config?.['backTo'] : undefined;
  return typeof backTo === 'string' ? [{ id: `back-${id}`, from: id, to: backTo, isBack: true }] : [];
}

function outermost({ parentNode: _, ...rest }: FlowNode): FlowNode {
  return rest;
}

function hasSoundParents(node: FlowNode, byId: ReadonlyMap<string, FlowNode>): boolean {
  if (node.parentNode === undefined || !byId.has(node.parentNode)) return false;
  const seen = new Set([node.id]);
  for (let at: string | undefined = node.parentNode; at !== undefined; at = byId.get(at)?.parentNode) {
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return true;
}

/** Returns whether a run took an edge, judging by its nodes. */
export function isTaken({ from, to, on }: FlowEdge, states: NodeStates): boolean {
  const [source, target] = [states.get(from), states.get(to)];
  if (!source || !target) return false;
  return on === undefined || source.branches === undefined || source.branches.includes(on);
}
