import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { foldWarnings, type Warning } from '../common/warnings.js';
import type { Claim } from '../inspection/claim.js';
import { BlobStore, type Draft, type StoredBlob } from '../storage/blob-store.js';
import { Logos, splitLogo } from './logos.js';
import { type DocumentContents, reportsIn } from './renderer/document-contents.js';
import { PdfRenderer } from './renderer/pdf-renderer.js';
import type { Progress, RenderProgress, ReportOutcome } from './renderer/render-job.js';
import { RenderQueue } from './render-queue.js';
import { EvidenceSeal } from './seal/evidence-seal.js';
import { ReportSources } from './sources/report-sources.js';

/** A report on disk, not yet in the vault. */
export interface DrawnReport {
  blob: StoredBlob;
  filename: string;
  pages: number;
  photographs: number;
  warnings: Warning[];
  /** The signed list of evidence: to be kept or discarded. */
  evidence: Draft;
}

/** A report whose list of evidence lies beside it. */
export interface SealedReport extends Omit<DrawnReport, 'evidence'> {
  manifestKey: string;
}

/** What a drawing is stopped by and tells its progress to. */
export interface DrawingWatch {
  readonly signal: AbortSignal;
  readonly progress: { next(progress: Progress): void };
}

/** One core is left to everybody else. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1;
const MOST_WAITING = 500;

/**
 * Turns a claim into a PDF in storage. What the file says follows from the claim alone (its photographs and remarks,
 * its meta, its instant and its report id), so that drawing it again gives the same bytes.
 */
@Injectable()
export class ReportDrawing implements OnApplicationShutdown {
  private readonly queue = new RenderQueue(AT_ONCE, MOST_WAITING);
  private readonly renderer = new PdfRenderer({ threads: AT_ONCE });

  constructor(
    private readonly sources: ReportSources,
    private readonly logos: Logos,
    private readonly store: BlobStore,
    private readonly seal: EvidenceSeal,
  ) {}

  /** 503 `overloaded` while too many wait. */
  requireRoom(): void {
    this.queue.requireRoom();
  }

  /** Waits for its turn. Throws `RenderError`, or what storage threw; nothing is left behind then. */
  draw(claim: Claim, watch: DrawingWatch): Promise<DrawnReport> {
    return this.queue.run(() => this.drawNow(claim, watch), watch.signal);
  }

  /** Keeps the list of evidence beside the file that it speaks of. */
  async keepEvidence({ evidence, ...drawn }: DrawnReport): Promise<SealedReport> {
    const { key } = await this.store.keep(evidence, 'manifests', '.json');
    return { ...drawn, manifestKey: key };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }

  private async drawNow(claim: Claim, { signal, progress }: DrawingWatch): Promise<DrawnReport> {
    const contents = await this.sources.of(claim.source.type).contents(claim);
    const pictures = await this.pictures(contents);
    const [draft, evidence] = [await this.store.draft(), await this.store.draft()];
    const [outputPath, evidencePath] = [draft.path, evidence.path];
    try {
      const { privateKey } = this.seal;
      const job = { contents, pictures, outputPath, evidencePath, privateKey };
      const onProgress = (at: RenderProgress) => progress.next({ phase: 'drawing', ...at });
      const outcome = await this.renderer.renderReport(job, { signal, onProgress });
      const blob = await this.store.keep(draft, 'reports', '.pdf');
      return {
        blob,
        evidence,
        filename: outcome.fileName,
        pages: outcome.pages,
        photographs: outcome.photographPages.length,
        warnings: warningsOf(outcome),
      };
    } catch (error) {
      await Promise.all([this.store.discard(draft), this.store.discard(evidence)]);
      throw error;
    }
  }

  /** Where the pictures lie, by the keys under which the report names them. */
  private async pictures(contents: DocumentContents): Promise<Map<string, string>> {
    const pictures = new Map<string, string>();
    for (const { photographs, meta } of reportsIn(contents)) {
      for (const { rendition } of photographs) {
        if (rendition !== null) pictures.set(rendition, this.store.pathOf(rendition));
      }
      const { logo } = splitLogo(meta);
      const file = logo === undefined ? undefined : await this.logos.find(logo);
      if (logo !== undefined && file) pictures.set(logo, this.store.pathOf(file.key));
    }
    return pictures;
  }
}

/** What is missing from the pages comes first: with a hundred faults of the meta it would only be counted. */
const warningsOf = (outcome: ReportOutcome): Warning[] =>
  foldWarnings(placeholderWarning(outcome), outcome.warnings, outcome.reportWarnings);

const placeholderWarning = ({ missingNames: missing }: ReportOutcome): Warning[] => {
  if (missing.length === 0) return [];
  const numbers = `${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ' …' : ''}`;
  const message = `${missing.length} of the photographs could not be drawn (number ${numbers}): a placeholder with number and time stands in.`;
  return [{ code: 'photographs_not_drawn', message }];
};
