import type { Warning } from '../../common/warnings.js';
import type { ExportedNode } from './agentflow-export.js';

/** Reports a loss of a node, in a clause without its node and its full stop. */
export type WarnOf = (code: string, clause: string, more?: { suggestion?: string }) => void;

/** How a person finds a node in the editor that it comes from. */
export const titleOf = ({ id, data }: ExportedNode): string =>
  `"${(data.label ?? data.name).slice(0, 200)}" (${id})`;

/** A loss of one node, which stands at `index` in the export. Each node is named: no two of them are equal. */
export const nodeWarning = (node: ExportedNode, index: number, code: string, clause: string): Warning => ({
  code,
  message: `${titleOf(node)}: ${clause}.`,
  path: `nodes[${index}]`,
});
