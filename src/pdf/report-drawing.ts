import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import type { Claim } from '../inspection/claim.service.js';
import { ClaimService } from '../inspection/claim.service.js';
import { type BuiltReport, buildReport } from '../inspection/report/build-report.js';
import type { PhotographInput } from '../inspection/report/report-input.js';
import { BlobStore, type StoredBlob } from '../storage/blob-store.js';
import { Logos } from './logos.js';
import { PdfRenderer } from './renderer/pdf-renderer.js';
import type { RenderOutcome, RenderProgress } from './renderer/render-job.js';
import { RenderQueue } from './render-queue.js';
import { asDrawn, type EvidenceManifest, evidenceManifest } from './seal/evidence-manifest.js';
import { EvidenceSeal } from './seal/evidence-seal.js';

/** A report on disk, not yet in the vault. */
export interface DrawnReport {
  blob: StoredBlob;
  filename: string;
  pages: number;
  warnings: string[];
  manifest: EvidenceManifest;
}

/** A report whose list of evidence lies beside it. */
export interface SealedReport extends DrawnReport {
  manifestKey: string;
}

/** How far a render is: waiting for its turn, then page by page. */
export type Progress = { phase: 'waiting' } | ({ phase: 'drawing' } & RenderProgress);

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
    private readonly claims: ClaimService,
    private readonly logos: Logos,
    private readonly store: BlobStore,
    private readonly seal: EvidenceSeal,
  ) {}

  /** 503 `overloaded` while too many wait. */
  requireRoom(): void {
    this.queue.requireRoom();
  }

  /** The claim as it will be printed: with the logo as the id of an asset, or without it and a warning. */
  async withLogo(claim: Claim, logo: string | undefined): Promise<{ claim: Claim; warnings: string[] }> {
    if (logo === undefined) return { claim, warnings: [] };
    const resolved = await this.logos.resolve(logo);
    if ('warning' in resolved) return { claim, warnings: [resolved.warning] };
    return { claim: { ...claim, meta: { ...(claim.meta as object), logo: resolved.assetId } }, warnings: [] };
  }

  /** Waits for its turn. Throws `RenderError`, or what storage threw; nothing is left behind then. */
  draw(claim: Claim, watch: DrawingWatch): Promise<DrawnReport> {
    return this.queue.run(() => this.drawNow(claim, watch), watch.signal);
  }

  /** Stores the list of evidence, signed, beside the file that it speaks of. */
  async keepManifest(drawn: DrawnReport): Promise<SealedReport> {
    const { bytes, sha256 } = drawn.blob;
    const envelope = this.seal.envelope(drawn.manifest, { bytes, sha256 });
    const { key } = await this.store.put('manifests', Buffer.from(JSON.stringify(envelope)), '.json');
    return { ...drawn, manifestKey: key };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }

  private async drawNow(claim: Claim, { signal, progress }: DrawingWatch): Promise<DrawnReport> {
    const contents = await this.claims.contents(claim.id);
    const built = buildReport({
      reportId: claim.reportId,
      now: claim.createdAt,
      photographs: contents.photographs,
      remarks: contents.remarks,
      meta: claim.meta,
    });
    const pictures = await this.pictures(contents.photographs, built);
    const draft = await this.store.draft();
    try {
      const manifest = evidenceManifest(built.report, contents.photographs);
      const job = {
        template: 'inspection',
        report: built.report,
        pictures,
        outputPath: draft.path,
        seal: { manifest, privateKey: this.seal.privateKey },
      } as const;
      const outcome = await this.renderer.render(job, {
        signal,
        onProgress: (at) => progress.next({ phase: 'drawing', ...at }),
      });
      const blob = await this.store.keep(draft, 'reports', '.pdf');
      return drawnReport(built, outcome, blob, asDrawn(manifest, outcome.photographPages, outcome.missing));
    } finally {
      await this.store.discard(draft);
    }
  }

  /** Where the pictures lie, by the keys under which the report names them. */
  private async pictures(
    photographs: readonly PhotographInput[],
    { report }: BuiltReport,
  ): Promise<Map<string, string>> {
    const pictures = new Map<string, string>();
    for (const { rendition } of photographs) {
      if (rendition !== null) pictures.set(rendition, this.store.pathOf(rendition));
    }
    const { logo } = report.cover;
    const file = logo === undefined ? undefined : await this.logos.find(logo);
    if (logo !== undefined && file) pictures.set(logo, this.store.pathOf(file.key));
    return pictures;
  }
}

const drawnReport = (
  built: BuiltReport,
  outcome: RenderOutcome,
  blob: StoredBlob,
  manifest: EvidenceManifest,
): DrawnReport => ({
  manifest,
  blob,
  filename: built.report.fileName,
  pages: outcome.pages,
  warnings: [...bounded(built.warnings), ...outcome.warnings, ...placeholderWarning(outcome)],
});

const MOST_WARNINGS = 100;

/** A meta with ten thousand faults is told of the first hundred. */
const bounded = (warnings: readonly string[]): readonly string[] =>
  warnings.length <= MOST_WARNINGS
    ? warnings
    : [...warnings.slice(0, MOST_WARNINGS), `… and ${warnings.length - MOST_WARNINGS} warnings more.`];

const placeholderWarning = ({ missing }: RenderOutcome): string[] =>
  missing.length === 0
    ? []
    : [
        `${missing.length} of the photographs could not be drawn (number ${missing.slice(0, 20).join(', ')}` +
          `${missing.length > 20 ? ' …' : ''}): a placeholder with number and time stands in.`,
      ];
