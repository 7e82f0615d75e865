import type { Warning } from '../../common/warnings.js';
import type { ExportedNode } from './agentflow-export.js';

/** Reports a loss of a node, in a clause without its node and its full stop. */
export type WarnOf = (code: string, clause: string, more?: { suggestion?: string }) => void;

/** Returns the label and id of a node in the other editor. */
export const titleOf = ({ id, data }: ExportedNode): string =>
  `"${(data.label ?? data.name).slice(0, 200)}" (${id})`;

/** Returns a warning about the loss of a part of the node at `index` of the export. */
export const nodeWarning = (node: ExportedNode, index: number, code: string, clause: string): Warning => ({
  code,
  message: `${titleOf(node)}: ${clause}.`,
  path: `nodes[${index}]`,
});
