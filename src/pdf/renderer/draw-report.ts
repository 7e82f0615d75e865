import { writeFileSync } from 'node:fs';
import { buildReport } from '../../inspection/report/build-report.js';
import { asDrawn, evidenceManifest } from '../seal/evidence-manifest.js';
import { sealEnvelope } from '../seal/seal-envelope.js';
import { drawDocument } from './draw-document.js';
import type { RenderProgress, ReportJob, ReportOutcome } from './render-job.js';
import type { FontLibrary } from './text/font-library.js';

/** Decides what the report says, draws it, and writes the signed list of evidence beside it. */
export function drawReport(
  { input, pictures, outputPath, evidencePath, privateKey }: ReportJob,
  library: FontLibrary,
  onProgress: (progress: RenderProgress) => void,
): ReportOutcome {
  const { report, warnings } = buildReport(input);
  const manifest = evidenceManifest(report, input.photographs);
  const job = {
    template: 'inspection',
    report,
    pictures,
    outputPath,
    seal: { manifest, privateKey },
  } as const;
  const outcome = drawDocument(job, library, onProgress);
  const { bytes, sha256, photographPages, missing } = outcome;
  const envelope = sealEnvelope(asDrawn(manifest, photographPages, missing), { bytes, sha256 }, privateKey);
  writeFileSync(evidencePath, JSON.stringify(envelope), { mode: 0o600 });
  return { ...outcome, fileName: report.fileName, reportWarnings: warnings };
}
