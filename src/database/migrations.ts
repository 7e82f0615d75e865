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
import { AddTraceOfRecord1700000021000 } from './migrations/1700000021000-trace-of-record.js';
import { AddStops1700000030000 } from './migrations/1700000030000-stops.js';
import { AddSigners1700000031000 } from './migrations/1700000031000-signers.js';
import { AddProcessDeaths1700000032000 } from './migrations/1700000032000-process-deaths.js';
import { AddDocumentStores1700000045000 } from './migrations/1700000045000-document-stores.js';
import { AddMovedChats1700000048000 } from './migrations/1700000048000-moved-chats.js';
import { AddDocumentErrorCodes1700000049000 } from './migrations/1700000049000-document-error-codes.js';
import { AddBranchesOfChats1700000050000 } from './migrations/1700000050000-branches-of-chats.js';
import { AddOpenStopsOfFlows1700000051000 } from './migrations/1700000051000-open-stops-of-flows.js';
import { AddDocumentIndexLeftovers1700000053000 } from './migrations/1700000053000-document-index-leftovers.js';
import { AddDecidedStops1700000054000 } from './migrations/1700000054000-decided-stops.js';
import { AddInspectionDetails1700000060001 } from './migrations/1700000060001-inspection-details.js';
import { AddCorrections1700000061000 } from './migrations/1700000061000-corrections.js';
import { AddCamera1700000062000 } from './migrations/1700000062000-camera.js';
import { AddFacts1700000062001 } from './migrations/1700000062001-facts.js';
import { AddPreviews1700000065000 } from './migrations/1700000065000-previews.js';
import { AddEditions1700000065001 } from './migrations/1700000065001-editions.js';
import { AddSettledBefore1700000068000 } from './migrations/1700000068000-settled-before.js';
import { AddPacks1700000068001 } from './migrations/1700000068001-packs.js';
import { AddSignatures1700000069001 } from './migrations/1700000069001-signatures.js';
import { AddSmallerPrints1700000070001 } from './migrations/1700000070001-smaller-prints.js';
import { AddMailEditions1700000070002 } from './migrations/1700000070002-mail-editions.js';
import { AddCorrectionKeys1700000072001 } from './migrations/1700000072001-correction-keys.js';
import { FindCorrectionKeysByAge1700000073001 } from './migrations/1700000073001-correction-keys-by-age.js';
import { AddReportLooks1700000074000 } from './migrations/1700000074000-report-looks.js';
import { AddProcesses1700000076000 } from './migrations/1700000076000-processes.js';
import { AddReportSizes1700000077000 } from './migrations/1700000077000-report-sizes.js';
import { AddProcessAddresses1700000078000 } from './migrations/1700000078000-process-addresses.js';

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
  AddTraceOfRecord1700000021000,
  AddStops1700000030000,
  AddSigners1700000031000,
  AddProcessDeaths1700000032000,
  AddDocumentStores1700000045000,
  AddMovedChats1700000048000,
  AddDocumentErrorCodes1700000049000,
  AddBranchesOfChats1700000050000,
  AddOpenStopsOfFlows1700000051000,
  AddDocumentIndexLeftovers1700000053000,
  AddDecidedStops1700000054000,
  AddInspectionDetails1700000060001,
  AddCorrections1700000061000,
  AddCamera1700000062000,
  AddFacts1700000062001,
  AddPreviews1700000065000,
  AddEditions1700000065001,
  AddSettledBefore1700000068000,
  AddPacks1700000068001,
  AddSignatures1700000069001,
  AddSmallerPrints1700000070001,
  AddMailEditions1700000070002,
  AddCorrectionKeys1700000072001,
  FindCorrectionKeysByAge1700000073001,
  AddReportLooks1700000074000,
  AddProcesses1700000076000,
  AddReportSizes1700000077000,
  AddProcessAddresses1700000078000,
];
