import { setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import { templateNamed } from '../templates.js';
import { drawDocument } from './draw-document.js';
import { patchFile } from './file/file-sink.js';
import type { DrawingProgress } from './page/page-renderer.js';
import type { ReportJob, ReportOutcome } from './render-job.js';
import { FontLibrary } from './text/font-library.js';

/** The message to the worker: the job and a port for progress. */
export interface DrawTask {
  readonly job: ReportJob;
  readonly progress: MessagePort;
}

const PROGRESS_EVERY_MS = 150;

/** HTTP calls come first. On Linux a thread has a priority of its own; elsewhere this would be the whole process's. */
const NICE = 10;
if (!isMainThread && process.platform === 'linux') setPriority(NICE);

/** Parsed fonts stay cached for later documents, until the idle worker is ended. */
const library = new FontLibrary();

/** Draws one document at a time into its file; only figures go back. */
export default function draw({ job, progress }: DrawTask): ReportOutcome {
  let reportedAt = 0;
  const report = (at: DrawingProgress): void => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS && at.page < at.pages) return;
    reportedAt = now;
    progress.postMessage(at);
  };
  try {
    const document = templateNamed(job.contents.details.type).build(job.contents);
    return drawDocument(document, job, library, report);
  } finally {
    progress.close();
  }
}

/** A text to be written into a finished file, over as many bytes. */
export interface AmendTask {
  readonly path: string;
  readonly position: number;
  readonly text: string;
}

/** Writes the text and returns the SHA-256 (hex) of the whole file, which only a worker reads through. */
export const amend = ({ path, position, text }: AmendTask): string =>
  patchFile(path, position, text).digest('hex');
