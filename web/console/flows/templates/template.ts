import type { FlowEdge, FlowNode } from '../../../../src/api/flows.js';
import { formatted } from '../flow-text.js';

/** A small flow to start from. */
export interface Template {
  name: string;
  about: string;
  /** The kinds of its nodes, for its picture. */
  kinds: readonly string[];
  text: string;
}

/** The first node of every template. */
export const start = { id: 'start', kind: 'start' };

/** Returns a template whose text is formatted as the editor does. */
export const template = (
  name: string,
  about: string,
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
): Template => ({
  name,
  about,
  kinds: nodes.map(({ kind }) => kind),
  text: formatted({ name: 'New flow', nodes, edges }),
});
