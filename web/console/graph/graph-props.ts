import type { Drawing, NodeStates } from './picture.js';

export interface FlowGraphProps {
  /** A flow, possibly incomplete. */
  definition: Drawing;
  /** The states of a run, which highlight its path. Absent when the picture shows no run. */
  nodeStates?: NodeStates | undefined;
  /** The selected node, which is scrolled into view when it changes. */
  selected?: string | undefined;
  /** Makes the nodes buttons. */
  onSelect?: ((nodeId: string) => void) | undefined;
  /** The picture's accessible name. */
  label?: string;
}
