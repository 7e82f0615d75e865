import { writeFileSync } from 'node:fs';
import { asDrawn, type ManifestPhotograph } from '../seal/evidence-manifest.js';
import { sealEnvelope } from '../seal/seal-envelope.js';
import { buildDocument } from './build-document.js';
import { drawDocument } from './draw-document.js';
import type { RenderProgress, ReportJob, ReportOutcome } from './render-job.js';
import type { FontLibrary } from './text/font-library.js';

/** Decides what the report says, draws it, and writes the signed list of evidence beside it. */
export function drawReport(
  { contents, pictures, outputPath, evidencePath, privateKey }: ReportJob,
  library: FontLibrary,
  onProgress: (progress: RenderProgress) => void,
): ReportOutcome {
  const { toDraw, manifest, fileName, warnings } = buildDocument(contents);
  const job = { ...toDraw, pictures, outputPath, seal: { manifest, privateKey } };
  const outcome = drawDocument(job, library, onProgress);
  const { bytes, sha256, photographPages, missing } = outcome;
  const envelope = sealEnvelope(asDrawn(manifest, photographPages, missing), { bytes, sha256 }, privateKey);
  writeFileSync(evidencePath, JSON.stringify(envelope), { mode: 0o600 });
  const missingNames = missing.map((place) => nameOf(manifest.photographs[place - 1]!));
  return { ...outcome, fileName, missingNames, reportWarnings: warnings };
}

const nameOf = ({ number, source }: ManifestPhotograph): string =>
  source === undefined ? String(number) : `${number} ${source.side.toLowerCase()}`;
