import { type Warning, Warnings } from '../../../common/warnings.js';
import { isJsonObject, type Json } from '../../engine/json.js';
import type { StoresHere } from '../../tools/document-store-ids.js';
import { type Members, wordIn } from '../rows/members.js';
import { isImportable, rowsIn, typeOfTable } from './import-request.js';

/** Tells which contents of an "export all" file its flows use. */
export interface FileUse {
  /** Returns whether a flow now contains the custom tool with this id. */
  usesTool: (id: string) => boolean;
  /** Returns whether a flow now contains a value for this variable. */
  fillsVariable: (name: string) => boolean;
  stores: StoresHere;
}

/** Tables whose rows have names, with the word for a row. */
const NAMED = new Map([
  ['AgentFlowV2', 'flow'],
  ['AgentFlow', 'agentflow of version 1'],
  ['ChatFlow', 'chatflow'],
  ['AssistantFlow', 'assistant'],
  ['AssistantCustom', 'assistant'],
  ['AssistantOpenAI', 'assistant'],
  ['AssistantAzure', 'assistant'],
  ['Assistant', 'assistant'],
  ['CustomTemplate', 'template'],
  ['DocumentStore', 'document store'],
  ['Tool', 'custom tool'],
  ['Variable', 'variable'],
]);

/** Returns warnings for everything in an "export all" file that no imported flow contains; counts rows without names. */
export function leftOut(tables: Members, use: FileUse): Warning[] {
  const warnings = new Warnings();
  for (const [table, rows] of Object.entries(tables)) {
    if (!Array.isArray(rows) || rows.length === 0) continue;
    const thing = NAMED.get(table);
    if (thing === undefined)
      warnings.add({
        code: 'not_imported',
        message: `${rows.length} of ${table.slice(0, 60)} were not imported: only flows are.`,
        path: table.slice(0, 60),
      });
    else
      for (const [index, row] of rowsIn(tables, table).entries()) {
        const why = isJsonObject(row) ? reason(table, row, use) : 'it is no object';
        if (why === undefined) continue;
        const name = isJsonObject(row) ? rowName(row) : '';
        warnings.addMade(() => ({
          code: 'not_imported',
          message: `The ${thing} "${name}" was not imported: ${why}.`,
          path: `${table}[${index}]`,
        }));
      }
  }
  return warnings.list();
}

/** Returns why a row was not imported; undefined for one that was. */
function reason(table: string, row: Members, use: FileUse): string | undefined {
  const type = typeOfTable(table);
  if (type !== undefined)
    return isImportable(row, type) ? undefined : 'its graph is of another kind of nodes';
  switch (table) {
    case 'Tool':
      return use.usesTool(wordIn(row, 'id') ?? '') ? undefined : 'no imported flow uses it as a function';
    case 'Variable':
      return use.fillsVariable(wordIn(row, 'name') ?? '')
        ? undefined
        : 'no flow reads it, or the file has no value for it. Set it in the vars of the flows';
    case 'DocumentStore':
      return use.stores.find(`${wordIn(row, 'id') ?? ''}:${wordIn(row, 'name') ?? ''}`) === undefined
        ? 'the file does not contain its documents. Create a store with this name before the import'
        : 'a store with this name exists already, and the flows search in that one';
    default:
      return 'only flows are';
  }
}

/** Returns the name of a row; that of an assistant is in a JSON text. */
function rowName(row: Members): string {
  const named = wordIn(row, 'name') ?? nameInText(row['details']) ?? wordIn(row, 'id') ?? 'without a name';
  return named.slice(0, 100).toWellFormed();
}

function nameInText(details: Json | undefined): string | undefined {
  const value = isJsonObject(details) ? details : undefined;
  const found = typeof details === 'string' ? /"name"\s*:\s*"([^"\\]{1,100})"/.exec(details)?.[1] : undefined;
  return value ? wordIn(value, 'name') : found;
}
