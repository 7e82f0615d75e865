import { Injectable } from '@nestjs/common';
import { Secrets } from '../../common/secrets/secrets.js';
import { foldWarnings, type Warning } from '../../common/warnings.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { PhotographPrints, type WantedPrint } from '../../inspection/pictures/photograph-prints.js';
import { BlobStore, type Draft } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import { Logos } from '../logos/logos.js';
import type { RevisionOrder } from '../renderer/file/later-revision.js';
import type { DrawingProgress } from '../renderer/page/page-renderer.js';
import type { ReportJob, ReportOutcome } from '../renderer/render-job.js';
import { ReportSigning } from '../signing/report-signing.js';
import type { Contents, SourceDetails } from '../templates/template.js';
import { ReportVault } from '../vault/report-vault.js';
import { DrawingQueue } from './drawing-queue.js';
import type { DrawingOptions, DrawingWatch, DrawnReport, SealedReport } from './drawn-report.js';
import { reportContents, pictureKeys, printsOf, withSmaller } from './report-contents.js';
import { type Print, sumOfBytes } from './smaller-prints.js';

interface Files {
  readonly draft: Draft;
  readonly evidence: Draft;
}

/** A drawn and sealed report, not signed yet. */
interface Drawing extends Files {
  readonly outcome: ReportOutcome;
  /** Recorded prints that could not be drawn, because their stored files are damaged or missing. */
  readonly lost: readonly WantedPrint[];
  readonly pictureBytes: number;
}

interface Signed {
  readonly measured: { readonly bytes: number; readonly sha256: string };
  readonly signature?: Buffer;
  readonly warnings: readonly Warning[];
}

/**
 * Draws a claim as a PDF in storage. The file depends on the claim alone (its photographs and remarks, its meta, its instant
 * and its report id), so that a redraw gives the same bytes.
 */
@Injectable()
export class ReportDrawing {
  constructor(
    private readonly claims: ClaimService,
    private readonly vault: ReportVault,
    private readonly logos: Logos,
    private readonly store: BlobStore,
    private readonly prints: PhotographPrints,
    private readonly secrets: Secrets,
    private readonly signing: ReportSigning,
    private readonly queue: DrawingQueue,
  ) {}

  /** Number of reports that wait to be drawn. */
  get queueLength(): number {
    return this.queue.length;
  }

  /** Throws 503 `overloaded` while too many wait. */
  requireSlot(): void {
    this.queue.requireNotFull();
  }

  /** Draws a claim once a slot is free. Throws `RenderError` or the error of the storage, and leaves no file behind. */
  async draw(claim: Claim, watch: DrawingWatch, options: DrawingOptions = {}): Promise<DrawnReport> {
    const { revision, warnings } = this.revisionOf(options);
    const { signal } = watch;
    const queued = () => this.queue.run(() => this.drawNow(claim, watch, { ...options, revision }), signal);
    let drawing = await queued();
    const restored = await this.orDiscard(drawing, () => this.restorePrints(drawing.lost, signal));
    if (restored) {
      await this.discardFiles(drawing);
      drawing = await queued();
    }
    // Time stamping runs outside the queue.
    const drawn = await this.orDiscard(drawing, () => this.finish(drawing, options, signal));
    return { ...drawn, warnings: foldWarnings(warnings, drawn.warnings) };
  }

  /** Makes damaged prints again, outside the queue. Returns true if one of them can be drawn now. */
  private async restorePrints(lost: readonly WantedPrint[], signal: AbortSignal): Promise<boolean> {
    let restored = false;
    for (const wanted of lost) {
      signal.throwIfAborted();
      try {
        await this.prints.sound(wanted, { who: 'reports', chat: wanted.photographId });
        restored = true;
      } catch (error) {
        if (!(error instanceof StoredFileDamaged)) throw error;
      }
    }
    return restored;
  }

  /** Returns the pictures of a claim's report, each once. */
  async printsOf(claim: Claim): Promise<Print[]> {
    return printsOf(await reportContents(claim, this.claims, this.vault));
  }

  /** Discards a report that is not stored. */
  async discard(drawn: DrawnReport): Promise<void> {
    await this.discardEvidence(drawn);
    await this.store.remove(drawn.blob.key);
  }

  /** Discards the list of evidence of a file. */
  discardEvidence({ evidence }: DrawnReport): Promise<void> {
    return this.store.discard(evidence);
  }

  /** Stores the list of evidence beside its file. */
  async storeEvidence({ evidence, ...drawn }: DrawnReport): Promise<SealedReport> {
    const { key } = await this.store.keep(evidence, 'manifests', { extension: '.json' });
    return { ...drawn, manifestKey: key };
  }

  private revisionOf({ mark, again }: DrawingOptions): { revision?: RevisionOrder; warnings: Warning[] } {
    if (mark === undefined && !again) return this.signing.order();
    const stored = again?.signature;
    return { ...(stored ? { revision: { stored } } : {}), warnings: [] };
  }

  private async drawNow(
    claim: Claim,
    { signal, progress }: DrawingWatch,
    { mark, stepped, revision }: DrawingOptions & { revision: RevisionOrder | undefined },
  ): Promise<Drawing> {
    const whole = await reportContents(claim, this.claims, this.vault);
    const contents = {
      ...(stepped ? withSmaller(whole, stepped) : whole),
      ...(mark === undefined ? {} : { draft: { outstandingAreas: claim.outstandingAreas } }),
    };
    const keys = await pictureKeys(contents, this.logos);
    const smaller = stepped?.smaller;
    const stored = [...keys].flatMap(([name, key]) => (smaller?.has(name) ? [] : [key]));
    const files = { draft: await this.store.draft(), evidence: await this.store.draft() };
    return this.orDiscard(files, async () => {
      const job: Omit<ReportJob, 'pictures'> = {
        ...{ contents, privateKey: this.secrets.sealKey },
        ...{ outputPath: files.draft.path, evidencePath: files.evidence.path },
        ...(mark === undefined ? {} : { mark }),
        ...(revision === undefined ? {} : { revision }),
      };
      const onProgress = (at: DrawingProgress) => progress.next({ phase: 'drawing', ...at });
      const outcome = await this.store.withFiles(stored, (pathOf) => {
        const pictures = new Map(
          [...keys].map(([name, key]) => [name, smaller?.get(name)?.path ?? pathOf(key)]),
        );
        return this.queue.renderer.render({ ...job, pictures }, { signal, onProgress });
      });
      const pictureBytes = stepped?.bytes ?? sumOfBytes(printsOf(whole));
      return { ...files, outcome, lost: lostPrints(contents, outcome), pictureBytes };
    });
  }

  /** Signs the drawing, if it is to be signed, and moves it into the store. */
  private async finish(
    drawing: Drawing,
    { mark, stepped, ...signing }: DrawingOptions,
    signal: AbortSignal,
  ): Promise<DrawnReport> {
    const { draft, evidence, outcome, lost, pictureBytes } = drawing;
    const { measured, warnings, ...signed } = await this.signed(drawing, signing, signal);
    const blob = await this.store.keep(draft, mark === undefined ? 'reports' : 'previews', {
      extension: '.pdf',
      measured,
    });
    return {
      ...{ blob, evidence, pictureBytes, ...signed },
      filename: outcome.fileName,
      pages: outcome.pages,
      photographs: outcome.photographPages.length,
      warnings: foldWarnings(warnings, warningsOf(outcome, lost)),
      prints: stepped && stepped.smaller.size > 0 ? stepped.step : null,
    };
  }

  private async signed(
    { draft, outcome }: Drawing,
    { unsignedAbove: most = Infinity, unstamped = false }: DrawingOptions,
    signal: AbortSignal,
  ): Promise<Signed> {
    const { bytes, sha256, later } = outcome;
    if (!later) return { measured: { bytes, sha256 }, warnings: [] };
    if ('sha256' in later) return { measured: later, warnings: [] };
    if (later.bytes > most) return { measured: { bytes: later.bytes, sha256 }, warnings: [] };
    const { revision: signature, contents, warnings } = await this.signing.sign(later, unstamped);
    const task = { path: draft.path, position: bytes + later.contentsAt, text: contents };
    const amended = await this.queue.renderer.amend(task, signal);
    return { measured: { bytes: later.bytes, sha256: amended }, signature, warnings };
  }

  /** Discards the files if the work fails. */
  private async orDiscard<Value>(drawing: Files, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      await this.discardFiles(drawing);
      throw error;
    }
  }

  private async discardFiles({ draft, evidence }: Files): Promise<void> {
    await Promise.all([this.store.discard(draft), this.store.discard(evidence)]);
  }
}

function lostPrints({ reports }: Contents<SourceDetails>, { undrawn }: ReportOutcome): WantedPrint[] {
  const ids = new Set(undrawn.map(({ id }) => id));
  return reports.flatMap(({ photographs }) =>
    photographs
      .filter(({ id, rendition }) => rendition !== null && ids.has(id))
      .map(({ id, turn = 0 }) => ({ photographId: id, turn })),
  );
}

/** Puts warnings of missing pictures first: behind a hundred faults of the meta they would only be counted. */
const warningsOf = (outcome: ReportOutcome, lost: readonly WantedPrint[]): Warning[] =>
  foldWarnings(placeholderWarnings(outcome, lost), outcome.warnings, outcome.reportWarnings);

function placeholderWarnings({ undrawn }: ReportOutcome, lost: readonly WantedPrint[]): Warning[] {
  const damaged = new Set(lost.map(({ photographId }) => photographId));
  const namesOf = (isDamaged: boolean) =>
    undrawn.flatMap(({ id, name }) => (damaged.has(id) === isDamaged ? [name] : []));
  return [
    ...placeholderWarning('stored_file_damaged', namesOf(true), 'Damaged in storage'),
    ...placeholderWarning('photographs_not_drawn', namesOf(false), 'Could not be drawn'),
  ];
}

function placeholderWarning(code: string, names: readonly string[], why: string): Warning[] {
  if (names.length === 0) return [];
  const numbers = `${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}`;
  const noun = names.length === 1 ? 'photograph' : 'photographs';
  const message = `${why}: ${names.length} ${noun} (number ${numbers}). A placeholder with number and time is printed instead.`;
  return [{ code, message }];
}
