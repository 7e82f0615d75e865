import { Injectable } from '@nestjs/common';
import { type ExtractedText, type SourceFile, TookTooLong } from './extraction-terms.js';
import { type ExtractionLimits, TextExtraction } from './text-extraction.js';

/** The limits of the first try, which nearly every document meets. */
const QUICK: ExtractionLimits = { megabytes: 512, cpuMs: 2_000, patienceMs: 20_000 };

const MOST_KNOWN = 1_000;

/** Another slow document is being read: retry this one later. Nothing is wrong with it. */
export class SlowLaneTaken extends Error {}

/**
 * Reads documents so that a slow one does not hold up others (contract section 9, "Document stores"). A document that takes
 * more than two seconds of processor time is started again in a lane of its own, which reads one at a time. Slow documents
 * are remembered as long as the process lives.
 */
@Injectable()
export class FairExtraction {
  private readonly slow = new Set<string>();
  private taken = false;

  constructor(private readonly extraction: TextExtraction) {}

  /** Throws `SlowLaneTaken`. Called before the bytes of a document are fetched. */
  requireLane(documentId: string): void {
    if (this.taken && this.slow.has(documentId)) throw new SlowLaneTaken();
  }

  /** Throws `SlowLaneTaken`, or what `TextExtraction` throws. */
  async extractText(documentId: string, file: SourceFile, signal: AbortSignal): Promise<ExtractedText> {
    if (!this.slow.has(documentId)) {
      try {
        return await this.extraction.extractText(file, signal, QUICK);
      } catch (error) {
        if (!(error instanceof TookTooLong)) throw error;
        this.remember(documentId);
      }
    }
    return this.inSlowLane(documentId, file, signal);
  }

  private async inSlowLane(
    documentId: string,
    file: SourceFile,
    signal: AbortSignal,
  ): Promise<ExtractedText> {
    this.requireLane(documentId);
    this.taken = true;
    try {
      return await this.extraction.extractAlone(file, signal);
    } finally {
      this.taken = false;
      this.slow.delete(documentId);
    }
  }

  private remember(documentId: string): void {
    const [oldest] = this.slow;
    if (this.slow.size >= MOST_KNOWN && oldest !== undefined) this.slow.delete(oldest);
    this.slow.add(documentId);
  }
}
