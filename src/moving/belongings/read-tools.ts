import type { BroughtTool } from '../../flows/import/imported-node.js';
import { readTool } from '../../flows/import/rows/tool-row.js';
import type { MoveSource } from '../source/move-source.js';

/** The custom tools of the other side, by their ids. */
export async function readTools(source: MoveSource): Promise<Map<string, BroughtTool>> {
  const tools = new Map<string, BroughtTool>();
  for await (const row of source.rows('tool')) {
    const read = readTool(row);
    if (read) tools.set(...read);
  }
  return tools;
}
