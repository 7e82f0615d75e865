import { createHash } from 'node:crypto';
import { AddDatabase1700000000000 } from './1700000000000-database.js';
import { AddExecutions1700000001000 } from './1700000001000-executions.js';
import { AddFlows1700000002000 } from './1700000002000-flows.js';
import { AddAccess1700000003000 } from './1700000003000-access.js';
import { AddPrediction1700000004000 } from './1700000004000-prediction.js';
import { AddInspection1700000005000 } from './1700000005000-inspection.js';
import { AddReports1700000006000 } from './1700000006000-pdf.js';
import { AddDocuments1700000007000 } from './1700000007000-documents.js';
import { type Dialect, Migration } from './migration.js';

/** The schema of the first release, one migration per module. Until then a change of the schema edits it. */
const baseline = [
  AddDatabase1700000000000,
  AddExecutions1700000001000,
  AddFlows1700000002000,
  AddAccess1700000003000,
  AddPrediction1700000004000,
  AddInspection1700000005000,
  AddReports1700000006000,
  AddDocuments1700000007000,
];

/** Identifies the baseline: databases whose hash differs have another schema. Line breaks and indents do not count. */
export function baselineHash(dialect: Dialect): string {
  const statements = baseline.flatMap((Module) => new Module().statements(dialect));
  const text = statements.join(';').replace(/\s+/g, ' ');
  return createHash('sha256').update(text).digest('hex');
}

/** Stores the hash of the baseline in the transaction that creates its tables. */
class AddBaseline1600000000000 extends Migration {
  statements(dialect: Dialect): string[] {
    return [
      `CREATE TABLE schema_baseline (hash text PRIMARY KEY NOT NULL)`,
      `INSERT INTO schema_baseline (hash) VALUES ('${baselineHash(dialect)}')`,
    ];
  }
}

/** Every migration, oldest first. After the first release a new one goes to the end and only adds. */
export const migrations = [AddBaseline1600000000000, ...baseline];
