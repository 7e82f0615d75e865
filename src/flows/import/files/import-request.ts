import { faultsOf } from '../../../common/plain-faults.js';
import type { Fault } from '../../../common/service-error.js';
import { isJsonObject } from '../../engine/json.js';
import { type ImportWishes, importWishes } from '../agentflow-export.js';
import type { Members } from '../rows/members.js';

/** A row of the other service's table of flows. `path` is its place in the body. */
export interface GivenRow {
  path: string;
  row: Members;
}

/** The body of the import route, in one of its three shapes (contract section 9). */
export type ImportRequest = { wishes: ImportWishes } & (
  | { shape: 'export'; body: unknown }
  | { shape: 'row'; given: GivenRow }
  | { shape: 'file'; given: GivenRow[]; tables: Members }
);

/** The type of flow that can be imported, in the words of the other service. */
const TYPE = 'AGENTFLOW';

/** The tables of flows in an "export all" file, with the type of a row that names none. */
const FLOW_TABLES = new Map([
  ['AgentFlowV2', TYPE],
  ['AgentFlow', 'MULTIAGENT'],
  ['ChatFlow', 'CHATFLOW'],
  ['AssistantFlow', 'ASSISTANT'],
]);

/** A body with any of these members is an "export all" file. */
const TABLES = [
  ...FLOW_TABLES.keys(),
  ...['AssistantCustom', 'AssistantOpenAI', 'AssistantAzure', 'Assistant', 'ChatMessage'],
  ...['ChatMessageFeedback', 'CustomTemplate', 'DocumentStore', 'DocumentStoreFileChunk', 'Execution'],
  ...['Tool', 'Variable'],
];

/** Options beside a single row, whose own `name` and `id` are those of the flow. */
const besideRow = importWishes.pick({ models: true, onConflict: true });

/** Detects the shape of a body. Any other body is read as an export, whose faults name what is missing. */
export function readImportRequest(body: unknown): ImportRequest | { faults: Fault[] } {
  const isWrapped = isJsonObject(body) && Object.hasOwn(body, 'export');
  const given = isWrapped ? body['export'] : body;
  const base = isWrapped ? 'export.' : '';
  const isRow = isJsonObject(given) && Object.hasOwn(given, 'flowData') && !Array.isArray(given['nodes']);
  const isFile =
    isJsonObject(given) &&
    !isRow &&
    !Object.hasOwn(given, 'nodes') &&
    TABLES.some((name) => Object.hasOwn(given, name) && Array.isArray(given[name]));
  const parsed = (isRow && !isWrapped ? besideRow : importWishes).safeParse(body);
  if (!isRow && !isFile) return { shape: 'export', body, wishes: parsed.data ?? {} };
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const wishes: ImportWishes = parsed.data;
  if (isRow)
    return isImportable(given, TYPE)
      ? { shape: 'row', given: { path: base, row: given }, wishes }
      : otherType(given, base);
  return readFile(given, base, wishes);
}

function readFile(tables: Members, base: string, wishes: ImportWishes): ImportRequest | { faults: Fault[] } {
  const faults: Fault[] = [];
  const given: GivenRow[] = [];
  for (const [table, type] of FLOW_TABLES) {
    for (const [index, row] of rowsIn(tables, table).entries()) {
      const path = `${base}${table}.${index}`;
      if (!isJsonObject(row)) faults.push({ path, message: 'must be an object: a flow with its flowData' });
      else if (isImportable(row, type)) given.push({ path: `${path}.`, row });
    }
  }
  if (given.length !== 1)
    for (const name of ['name', 'id'] as const)
      if (wishes[name] !== undefined)
        faults.push({ path: name, message: `names one flow, and the file holds ${given.length}` });
  if (given.length === 0 && faults.length === 0)
    faults.push({
      path: `${base}AgentFlowV2`,
      message: 'holds no flow: only AgentFlow V2 flows can be imported',
    });
  return faults.length > 0 ? { faults: faults.slice(0, 100) } : { shape: 'file', given, tables, wishes };
}

/** Returns the rows of a table of the file; none if it is not a list. */
export const rowsIn = (tables: Members, table: string) => {
  const rows = Object.hasOwn(tables, table) ? tables[table] : undefined;
  return Array.isArray(rows) ? rows : [];
};

/** Returns whether a row is an AgentFlow V2 flow; `usual` is the type of a row that names none. */
export const isImportable = ({ type }: Members, usual: string | undefined): boolean =>
  (typeof type === 'string' && type !== '' ? type : usual) === TYPE;

/** Returns the default type of rows in a table of flows; undefined for any other table. */
export const typeOfTable = (table: string): string | undefined => FLOW_TABLES.get(table);

const otherType = ({ type }: Members, base: string): { faults: Fault[] } => ({
  faults: [
    {
      path: `${base}type`,
      message: `is ${JSON.stringify(type).slice(0, 50)}: only flows of the type ${TYPE} (AgentFlow V2) can be imported`,
    },
  ],
});
