import { AddDatabase1700000000000 } from './migrations/1700000000000-database.js';
import { AddExecutions1700000001000 } from './migrations/1700000001000-executions.js';
import { AddFlows1700000002000 } from './migrations/1700000002000-flows.js';
import { AddAccess1700000003000 } from './migrations/1700000003000-access.js';
import { AddPrediction1700000004000 } from './migrations/1700000004000-prediction.js';
import { AddInspection1700000005000 } from './migrations/1700000005000-inspection.js';
import { AddReports1700000006000 } from './migrations/1700000006000-pdf.js';
import { AddDocuments1700000007000 } from './migrations/1700000007000-documents.js';

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

/** Every migration, oldest first. After the first release a new one goes to the end and only adds. */
export const migrations = [...baseline];
