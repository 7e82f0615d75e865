import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { Clock } from '../../common/clock.js';
import { shuttingDown } from '../../common/health/readiness.js';
import { TaskQueue } from '../../common/processes/task-queue.js';
import { WorkerProcess } from '../../common/processes/worker-process.js';
import {
  type SourceFile,
  type ExtractedText,
  type ExtractionEnd,
  TookTooLong,
  unextractable,
  Unextractable,
  fileTooLarge,
  MOST_DOCUMENT_BYTES,
} from './extraction-terms.js';

/** The limits of one extraction: megabytes of its process, milliseconds of processor, and of the clock. */
export interface ExtractionLimits {
  readonly megabytes: number;
  readonly cpuMs: number;
  readonly patienceMs: number;
}

const USUAL: ExtractionLimits = { megabytes: 512, cpuMs: 20_000, patienceMs: 120_000 };

/** Leaves one core to other calls. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1;
const MOST_WAITING = 200;
const FULL = 'Too many documents are waiting to be read. Send it again after the seconds in Retry-After.';

const V8_FLAGS = ['--max-old-space-size=384', '--max-semi-space-size=8'];
const LOOK_MS = 50;

type Reader = WorkerProcess<SourceFile, ExtractionEnd>;

/**
 * Reads the text of documents (contract section 9, "Document stores"): text, Markdown, HTML, PDF, DOCX and CSV,
 * distinguished by their bytes. Each document is read in a process of its own, which is killed if it takes too much memory or time, so
 * that no file harms the service or another file.
 */
@Injectable()
export class TextExtraction implements OnApplicationShutdown {
  private readonly queue = new TaskQueue(AT_ONCE, MOST_WAITING, FULL);
  private readonly stopping = new AbortController();

  constructor(private readonly clock: Clock) {}

  /**
   * Reads a document once a slot is free. Throws `Unextractable`, 503 if too many wait or the service stops, or the signal's
   * reason; then its process has been killed.
   */
  async extractText(
    file: SourceFile,
    signal: AbortSignal,
    limits: ExtractionLimits = USUAL,
  ): Promise<ExtractedText> {
    if (file.bytes.byteLength > MOST_DOCUMENT_BYTES) throw fileTooLarge();
    this.queue.requireNotFull();
    const either = AbortSignal.any([signal, this.stopping.signal]);
    return this.queue.run(() => this.extractNow(file, either, limits), either);
  }

  /** Reads a document without waiting for a slot. */
  async extractAlone(file: SourceFile, signal: AbortSignal): Promise<ExtractedText> {
    if (file.bytes.byteLength > MOST_DOCUMENT_BYTES) throw fileTooLarge();
    return this.extractNow(file, AbortSignal.any([signal, this.stopping.signal]), USUAL);
  }

  onApplicationShutdown(): void {
    this.stopping.abort(shuttingDown('The service is stopping. Send the document again in a moment.'));
  }

  private async extractNow(
    file: SourceFile,
    signal: AbortSignal,
    limits: ExtractionLimits,
  ): Promise<ExtractedText> {
    const reader: Reader = new WorkerProcess({
      ...{ importMetaUrl: import.meta.url, name: 'extraction-worker' },
      ...{ v8Flags: V8_FLAGS, serialization: 'advanced' },
    });
    reader.lowerPriority();
    const kill = () => reader.kill();
    signal.addEventListener('abort', kill, { once: true });
    const watch = this.watch(reader, limits);
    try {
      const ended = await reader.run(file);
      signal.throwIfAborted();
      if ('died' in ended) throw faultOfDeath(ended.died, watch.stopped);
      if ('fault' in ended.end) throw new Unextractable(ended.end.fault);
      return ended.end.document;
    } finally {
      clearInterval(watch.timer);
      signal.removeEventListener('abort', kill);
      kill();
    }
  }

  private watch(reader: Reader, limits: ExtractionLimits): Watch {
    const begun = this.clock.elapsed();
    const watch: Watch = {};
    watch.timer = setInterval(() => {
      watch.stopped ??= whyStop(reader, limits, this.clock.elapsed() - begun);
      if (watch.stopped) reader.kill();
    }, LOOK_MS);
    return watch;
  }
}

type Stop = 'memory' | 'time';

interface Watch {
  timer?: NodeJS.Timeout;
  stopped?: Stop | undefined;
}

function whyStop(reader: Reader, limits: ExtractionLimits, waitedMs: number): Stop | undefined {
  const use = reader.use();
  if (use && use.megabytes > limits.megabytes) return 'memory';
  if ((use && use.cpuMs > limits.cpuMs) || waitedMs > limits.patienceMs) return 'time';
  return undefined;
}

/** The signals and the exit code of a process that ran out of memory: of the system, or of V8. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP', '134']);

function faultOfDeath(died: string, stopped: Stop | undefined): Unextractable {
  if (stopped === 'time') return new TookTooLong();
  if (stopped === 'memory' || OUT_OF_MEMORY.has(died))
    return unextractable(
      'document_too_large',
      'Reading the document takes too much memory. Send it in parts, or save it in another format.',
    );
  return unextractable(
    'document_unreadable',
    'The document cannot be read. Save it again, or send it as plain text.',
  );
}
