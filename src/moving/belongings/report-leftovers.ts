import { isJsonObject } from '../../flows/engine/json.js';
import { wordIn } from '../../flows/import/rows/members.js';
import { columnJson, columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import type { StoresHere } from '../../flows/tools/document-store-ids.js';
import type { MoveReport } from '../report/move-report.js';
import { KNOWN_TABLES } from '../source/known-tables.js';
import type { Move } from '../target/move-target.js';

/** The reasons why the rows of a table have no place here. */
const WHY: Readonly<Record<string, string>> = {
  user: 'accounts with passwords; this service has an admin key instead',
  login_sessions: 'browser sessions',
  login_activity: 'logins of accounts',
  role: 'roles of accounts',
  organization: 'accounts and workspaces',
  organization_user: 'accounts and workspaces',
  workspace: 'accounts and workspaces',
  workspace_user: 'accounts and workspaces',
  workspace_shared: 'accounts and workspaces',
  schedule_record: 'this service has no scheduled flows',
  schedule_trigger_log: 'this service has no scheduled flows',
  document_store_file_chunk: 'chunks of documents; upload the documents to a store here',
  custom_mcp_server: 'addresses of MCP servers; here they are settings of the tools that use them',
};
const OTHER = 'another feature of the other product';

/** Reports what is not moved, so that nothing is lost silently. */
export async function reportLeftovers(
  { source, report }: Pick<Move, 'source' | 'report'>,
  stores: StoresHere,
): Promise<void> {
  report.left(
    'execution',
    'old executions, and runs that wait for approval, are not moved',
    undefined,
    await source.count('execution'),
  );
  for await (const row of source.rows('assistant')) {
    const details = columnJson(row['details']);
    const name =
      details !== 'broken' && isJsonObject(details.value) ? wordIn(details.value, 'name') : undefined;
    report.left('assistant', 'assistants are not flows', name ?? columnText(row['id']));
  }
  for await (const row of source.rows('document_store')) reportStore(row, report, stores);
  for (const table of [...source.tables.keys()].sort()) {
    if (table in KNOWN_TABLES || table === 'execution' || table === 'migrations') continue;
    const count = await source.count(table);
    report.left('table', WHY[table] ?? OTHER, `${table} (${count})`, count);
  }
}

/** Reports a document store. Flows that name it use the store of the same id or name here, if there is one. */
function reportStore(row: SourceRow, report: MoveReport, stores: StoresHere): void {
  const id = columnText(row['id']) ?? '';
  const name = columnText(row['name']) ?? 'without a name';
  if (stores.find(`${id}:${name}`) !== undefined) return report.here('store');
  report.left(
    'store',
    'the database does not hold its documents as uploaded; create a store with its id or name here, upload them, then move the flows that search it',
    `${name} (${id})`,
  );
}
