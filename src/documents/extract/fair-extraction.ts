import { Injectable } from '@nestjs/common';
import { type ExtractionLimits, TextExtraction } from './extract-text.js';
import { type ExtractedText, type SourceFile, TookTooLong } from './extracted-text.js';

/** Nearly every document needs less. */
const QUICK: ExtractionLimits = { megabytes: 512, cpuMs: 2_000, patienceMs: 20_000 };

const MOST_KNOWN = 1_000;

/** One that takes long is being read: this one is to be tried again later. Nothing is wrong with it. */
export class SlowLaneTaken extends Error {}

/**
 * Reads documents so that one that takes long holds up no others (contract section 9, "Document stores"): whatever takes
 * more than two seconds of processor is begun anew beside the rest, of those one at a time. Which they are is remembered
 * as long as the process lives.
 */
@Injectable()
export class FairExtraction {
  private readonly slow = new Set<string>();
  private taken = false;

  constructor(private readonly extraction: TextExtraction) {}

  /** Throws `SlowLaneTaken`: asked before the bytes of a document are fetched. */
  requireTurn(documentId: string): void {
    if (this.taken && this.slow.has(documentId)) throw new SlowLaneTaken();
  }

  /** Throws `SlowLaneTaken`, or as `TextExtraction` does. */
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
    this.requireTurn(documentId);
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
