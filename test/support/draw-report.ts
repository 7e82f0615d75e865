import { generateKeyPairSync } from 'node:crypto';
import type { ReportJob } from '../../src/pdf/renderer/render-job.js';

const SEAL_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64url');

/** The heading of the page that each report ends with; the contents do not list it. */
export const CHECK_PAGE = 'How to check this report';

/** The job to draw a report, sealed by a key of this test; its list of evidence lies beside it. */
export const reportJob = (job: Omit<ReportJob, 'privateKey' | 'evidencePath'>): ReportJob => ({
  ...job,
  privateKey: SEAL_KEY,
  evidencePath: `${job.outputPath}.evidence.json`,
});
