import { AddExecutions1700000001000 } from './migrations/1700000001000-executions.js';
import { AddFlows1700000002000 } from './migrations/1700000002000-flows.js';
import { AddAccess1700000003000 } from './migrations/1700000003000-access.js';
import { AddPrediction1700000004000 } from './migrations/1700000004000-prediction.js';
import { AddInspection1700000005000 } from './migrations/1700000005000-inspection.js';
import { AddReports1700000006000 } from './migrations/1700000006000-pdf.js';
import { AddCredentials1700000007000 } from './migrations/1700000007000-credentials.js';
import { AddComparison1700000008000 } from './migrations/1700000008000-comparison.js';
import { AddFoundExecutions1700000009000 } from './migrations/1700000009000-found-executions.js';
import { AddUploadsOfTurns1700000010000 } from './migrations/1700000010000-uploads-of-turns.js';
import { AddMailCodes1700000011000 } from './migrations/1700000011000-mail-codes.js';
import { AddRuns1700000020000 } from './migrations/1700000020000-runs.js';

/** Every migration, oldest first. A new one goes to the end; one that was released never changes. */
export const migrations = [
  AddExecutions1700000001000,
  AddFlows1700000002000,
  AddAccess1700000003000,
  AddPrediction1700000004000,
  AddInspection1700000005000,
  AddReports1700000006000,
  AddCredentials1700000007000,
  AddComparison1700000008000,
  AddFoundExecutions1700000009000,
  AddUploadsOfTurns1700000010000,
  AddMailCodes1700000011000,
  AddRuns1700000020000,
];
