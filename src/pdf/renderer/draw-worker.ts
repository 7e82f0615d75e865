import { setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import { drawDocument } from './draw-document.js';
import { drawReport } from './draw-report.js';
import type { RenderJob, RenderOutcome, RenderProgress, ReportJob } from './render-job.js';
import { FontLibrary } from './text/font-library.js';

/** What the main thread sends: the job and a port for progress. */
export interface DrawTask {
  readonly job: RenderJob | ReportJob;
  readonly progress: MessagePort;
}

const PROGRESS_EVERY_MS = 150;

/** Calls come first: on Linux a thread has a priority of its own (elsewhere this would be the whole process's). */
const NICE = 10;
if (!isMainThread && process.platform === 'linux') setPriority(NICE);

/** Parsed fonts stay for the documents that follow, until the idle worker is let go. */
const library = new FontLibrary();

/** The drawing worker: one document at a time, written to its file; only figures go back. */
export default function draw({ job, progress }: DrawTask): RenderOutcome {
  let reported = 0;
  try {
    const tell = (at: RenderProgress): void => {
      const now = performance.now();
      if (now - reported < PROGRESS_EVERY_MS && at.page < at.pages) return;
      reported = now;
      progress.postMessage(at);
    };
    return 'contents' in job ? drawReport(job, library, tell) : drawDocument(job, library, tell);
  } finally {
    progress.close();
  }
}
