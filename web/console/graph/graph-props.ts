import type { Drawing, NodeStates } from './picture.js';

export interface FlowGraphProps {
  /** A flow, or what of one is there while it is being written. */
  definition: Drawing;
  /** A run: its path is drawn out, and what it did not reach steps back. Without it the picture is of the flow alone. */
  nodeStates?: NodeStates | undefined;
  /** The node that is looked at; it is brought into view when it changes. */
  selected?: string | undefined;
  /** Makes the nodes buttons. */
  onSelect?: ((nodeId: string) => void) | undefined;
  /** A description of the picture for screen readers. */
  label?: string;
}
