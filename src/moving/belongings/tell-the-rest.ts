import { isMembers, wordIn } from '../../flows/import/rows/members.js';
import { columnJson, columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import type { StoresHere } from '../../flows/tools/document-store-ids.js';
import type { MoveReport } from '../report/move-report.js';
import { KNOWN_TABLES } from '../source/known-tables.js';
import type { Move } from '../target/move-target.js';

/** Why the rows of a table have no place here. */
const WHY: Readonly<Record<string, string>> = {
  user: 'accounts with passwords: here there is the admin key',
  login_sessions: 'sessions of browsers',
  login_activity: 'logins of accounts',
  role: 'roles of accounts',
  organization: 'accounts and workspaces',
  organization_user: 'accounts and workspaces',
  workspace: 'accounts and workspaces',
  workspace_user: 'accounts and workspaces',
  workspace_shared: 'accounts and workspaces',
  schedule_record: 'nothing starts a flow here at set times',
  schedule_trigger_log: 'nothing starts a flow here at set times',
  document_store_file_chunk: 'pieces of documents: upload the documents to a store here',
  custom_mcp_server: 'addresses of MCP servers: here they stand in the tools that use them',
};
const OTHER = 'another feature of the other product';

/** Tells what is left of the other side, so that nothing is lost without a word. */
export async function tellTheRest(
  { source, report }: Pick<Move, 'source' | 'report'>,
  stores: StoresHere,
): Promise<void> {
  report.left(
    'execution',
    'old executions, and runs that wait for a person, are not moved',
    undefined,
    await source.count('execution'),
  );
  for await (const row of source.rows('assistant')) {
    const details = columnJson(row['details']);
    const name = details !== 'broken' && isMembers(details.value) ? wordIn(details.value, 'name') : undefined;
    report.left('assistant', 'an assistant is no flow', name ?? columnText(row['id']));
  }
  for await (const row of source.rows('document_store')) tellStore(row, report, stores);
  for (const table of [...source.tables.keys()].sort()) {
    if (table in KNOWN_TABLES || table === 'execution' || table === 'migrations') continue;
    const count = await source.count(table);
    report.left('table', WHY[table] ?? OTHER, `${table} (${count})`, count);
  }
}

/** The flows that name a store by the id or the name of one that is here search in that. */
function tellStore(row: SourceRow, report: MoveReport, stores: StoresHere): void {
  const id = columnText(row['id']) ?? '';
  const name = columnText(row['name']) ?? 'without a name';
  if (stores.find(`${id}:${name}`) !== undefined) return report.here('store');
  report.left(
    'store',
    'its documents are not kept as they were uploaded; make a store with its id or name here, upload them, and move the flows that search in it after that',
    `${name} (${id})`,
  );
}
