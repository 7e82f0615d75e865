import type { FlowEdge, FlowNode } from '../api/types/flows.js';

/** The input of the picture: a definition as the API answers it, or as somebody is still typing it. */
export interface Drawing {
  nodes: readonly FlowNode[];
  edges?: readonly FlowEdge[];
}

/** How a node of a run stands. */
export interface NodeState {
  /** `running`, `succeeded`, `failed`, `stopped`, `waiting`; another word is shown as it is. */
  status: string;
  durationMs?: number | null;
  /** Which came when: 0 for the first. */
  order?: number;
  /** The branches that a branching node took; without them an edge counts as taken when both its ends ran. */
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
 * The drawable part of a definition: the first node of each id, edges between nodes that exist, and parents that
 * exist and are not their own ancestors. A definition may be half written; then this half is shown.
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

/** Whether a run went along an edge, as far as its nodes tell. */
export function isTaken({ from, to, on }: FlowEdge, states: NodeStates): boolean {
  const [source, target] = [states.get(from), states.get(to)];
  if (!source || !target) return false;
  return on === undefined || source.branches === undefined || source.branches.includes(on);
}

/** A branch as its edge names it: those of a condition are counted from 0, people count from 1. */
export const branchName = (on: string): string => (/^\d{1,3}$/.test(on) ? `${Number(on) + 1}` : on);
