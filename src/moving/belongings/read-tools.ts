import type { BroughtTool } from '../../flows/import/imported-node.js';
import type { MoveSource } from '../source/move-source.js';
import { columnJson, columnText } from '../source/row-values.js';
import { isMembers, type Members, wordIn } from './members.js';

const TYPES = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array']);

/** The custom tools of the other side, by their ids: JavaScript that an agent may call. */
export async function readTools(source: MoveSource): Promise<Map<string, BroughtTool>> {
  const tools = new Map<string, BroughtTool>();
  for await (const row of source.rows('tool')) {
    const [id, code] = [columnText(row['id']), columnText(row['func'])];
    if (id === undefined || code === undefined) continue;
    tools.set(id, {
      name: columnText(row['name']) ?? id,
      description: columnText(row['description']),
      parameters: parametersOf(row['schema']),
      code,
    });
  }
  return tools;
}

/** `[{ property, type, description, required }]` as the JSON Schema of the tool's arguments. */
function parametersOf(schema: unknown): Members {
  const read = columnJson(schema);
  const rows = read === 'broken' || !Array.isArray(read.value) ? [] : read.value.filter(isMembers);
  const named = rows.flatMap((row) => {
    const name = wordIn(row, 'property');
    return name === undefined ? [] : [{ name, row }];
  });
  const required = named.filter(({ row }) => row['required'] === true).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, row }) => [name, propertyOf(row)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function propertyOf(row: Members): Members {
  const [type, description] = [wordIn(row, 'type') ?? '', wordIn(row, 'description')];
  return {
    ...(TYPES.has(type) ? { type } : type === 'date' ? { type: 'string' } : {}),
    ...(description === undefined ? {} : { description }),
  };
}
