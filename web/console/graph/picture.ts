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
  return {
    nodes: shown,
    edges: edges
      .filter(
        ({ from, to }) =>
          from !== to && byId.has(from) && byId.has(to) && parentOf.get(from) === parentOf.get(to),
      )
      .map((edge, index) => ({ ...edge, id: String(index) })),
  };
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

/** Returns the label of a branch. Conditions count from 0, labels from 1. */
export const branchName = (on: string): string => (/^\d{1,3}$/.test(on) ? `${Number(on) + 1}` : on);
