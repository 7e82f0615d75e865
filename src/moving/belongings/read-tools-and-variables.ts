import type { KnownTool } from '../../flows/import/imported-node.js';
import type { ForeignVariable, ForeignVariables } from '../../flows/import/rows/row-settings.js';
import { columnText } from '../../flows/import/rows/row-values.js';
import { readTool } from '../../flows/import/rows/tool-row.js';
import type { MoveSource } from '../source/move-source.js';

/** Reads the variables of the installation, by workspace and name. */
export async function readVariables(source: MoveSource): Promise<ForeignVariables> {
  const all = new Map<string, Map<string, ForeignVariable>>();
  for await (const row of source.rows('variable')) {
    const name = columnText(row['name']);
    if (name === undefined) continue;
    const workspace = columnText(row['workspaceId']) ?? '';
    const own = all.get(workspace) ?? new Map<string, ForeignVariable>();
    all.set(workspace, own);
    own.set(name, {
      name,
      value: columnText(row['value']) ?? '',
      runtime: columnText(row['type']) === 'runtime',
    });
  }
  return all;
}

/** Reads the custom tools of the other side, by id. */
export async function readTools(source: MoveSource): Promise<Map<string, KnownTool>> {
  const tools = new Map<string, KnownTool>();
  for await (const row of source.rows('tool')) {
    const read = readTool(row);
    if (read) tools.set(...read);
  }
  return tools;
}
