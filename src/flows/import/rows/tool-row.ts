import { isJsonObject } from '../../engine/json.js';
import type { KnownTool } from '../imported-node.js';
import { type Members, wordIn } from './members.js';
import { columnJson, columnText, type SourceRow } from './row-values.js';

const TYPES = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array']);

/** Returns a custom tool with its id; undefined for a row without id or code. */
export function readTool(row: SourceRow): [id: string, tool: KnownTool] | undefined {
  const [id, code] = [columnText(row['id']), columnText(row['func'])];
  if (id === undefined || code === undefined) return undefined;
  return [
    id,
    {
      name: columnText(row['name']) ?? id,
      description: columnText(row['description']),
      parameters: parametersOf(row['schema']),
      code,
    },
  ];
}

/** Converts `[{ property, type, description, required }]` to the JSON Schema of the tool's arguments. */
function parametersOf(schema: unknown): Members {
  const read = columnJson(schema);
  const rows = read === 'broken' || !Array.isArray(read.value) ? [] : read.value.filter(isJsonObject);
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
