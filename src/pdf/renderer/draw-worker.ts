import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import { asDrawn, evidenceManifest, sealEnvelope } from '../seal/evidence-manifest.js';
import { templateNamed } from '../templates.js';
import type { BuiltDocument, PrintedPhotograph } from '../templates/template.js';
import { drawDocument } from './draw-document.js';
import { patchFile } from './file/file-sink.js';
import type { DrawingProgress } from './page/page-renderer.js';
import type { RenderJob, RenderOutcome, ReportJob, ReportOutcome } from './render-job.js';
import { FontLibrary } from './text/font-library.js';

/** The message to the worker: the job and a port for progress. */
export interface DrawTask {
  readonly job: RenderJob | ReportJob;
  readonly progress: MessagePort;
}

const PROGRESS_EVERY_MS = 150;

/** HTTP calls come first: on Linux a thread has a priority of its own (elsewhere this would be the whole process's). */
const NICE = 10;
if (!isMainThread && process.platform === 'linux') setPriority(NICE);

/** Parsed fonts are cached for later documents, until the idle worker is ended. */
const library = new FontLibrary();

/** The drawing worker: one document at a time, written to its file; only figures go back. */
export default function draw({ job, progress }: DrawTask): RenderOutcome {
  let reported = 0;
  try {
    const tell = (at: DrawingProgress): void => {
      const now = performance.now();
      if (now - reported < PROGRESS_EVERY_MS && at.page < at.pages) return;
      reported = now;
      progress.postMessage(at);
    };
    const document = templateNamed(job.contents.details.type).build(job.contents);
    return 'evidencePath' in job
      ? drawReport(document, job, library, tell)
      : drawDocument(document, job, library, tell);
  } finally {
    progress.close();
  }
}

/** Text to be written into a finished file, over as many bytes. */
export interface AmendTask {
  readonly path: string;
  readonly position: number;
  readonly text: string;
}

/** Writes the text and answers the SHA-256 (hex) of the whole file, which only a worker reads through. */
export const amend = ({ path, position, text }: AmendTask): string =>
  patchFile(path, position, text).digest('hex');

/** Draws a report with the evidence behind it sealed in, and writes the signed list of evidence beside it. */
function drawReport(
  built: BuiltDocument,
  { contents, pictures, outputPath, mark, evidencePath, privateKey, revision }: ReportJob,
  library: FontLibrary,
  onProgress: (progress: DrawingProgress) => void,
): ReportOutcome {
  const manifest = evidenceManifest(built.evidence, contents.reports);
  const order = {
    ...{ pictures, outputPath, seal: { manifest, privateKey, ...(revision ? { revision } : {}) } },
    ...(mark === undefined ? {} : { mark }),
  };
  const outcome = drawDocument(built, order, library, onProgress);
  const { bytes, sha256, photographPages, missing } = outcome;
  const envelope = sealEnvelope(asDrawn(manifest, photographPages, missing), { bytes, sha256 }, privateKey);
  writeFileSync(evidencePath, JSON.stringify(envelope), { mode: 0o600 });
  const undrawn = missing.map((place) => named(built.evidence.photographs[place - 1]!));
  return { ...outcome, fileName: built.fileName, undrawn, reportWarnings: built.warnings };
}

const named = ({ photograph: { id, number }, source }: PrintedPhotograph) => ({
  id,
  name: source === undefined ? String(number) : `${number} ${source.side.toLowerCase()}`,
});
