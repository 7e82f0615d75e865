import { Injectable } from '@nestjs/common';
import { foldWarnings, type Warning } from '../../common/warnings.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { PictureWorkers } from '../../inspection/pictures/picture-workers.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import { BlobStore } from '../../storage/blob-store.js';
import { TIME_STAMP_FAILED } from '../signing/report-signing.js';
import type { DrawingOptions, DrawingWatch, DrawnReport } from './drawn-report.js';
import { ReportDrawing } from './report-drawing.js';
import {
  firstThatFits,
  type Print,
  PRINT_STEPS,
  type PrintMaker,
  sampleOf,
  sumOfBytes,
  withSmallerPrints,
} from './smaller-prints.js';

/** Options for drawing a report. */
interface FittingOrder {
  /** A word at the head of each page. */
  readonly mark?: string;
  /** The most bytes that its file should have. */
  readonly maxBytes?: number;
  /** For a redraw: the size that its pictures were stepped down to. */
  readonly prints?: PrintStep;
  /** For a redraw: its stored signature. */
  readonly again?: NonNullable<DrawingOptions['again']>;
}

interface StepDown {
  readonly maxBytes: number;
  /** Returns the file, with a warning, even if it is too large at the last step. */
  readonly whatever: boolean;
  readonly mark?: string;
  readonly unstamped?: boolean;
}

/** The bytes left for the pictures, and the state of the search for a step. */
interface PictureBudget {
  readonly bytes: number;
  /** The first step that was not tried. */
  first: number;
  /** The most by which pictures came out larger than estimated. */
  factor: number;
}

/** The share by which an estimate from a sample is raised. */
const MARGIN = 1.02;
/** Bytes by which the list of evidence grows: for each smaller picture, and once. */
const EVIDENCE_EACH = 24;
const EVIDENCE_ONCE = 1024;

/**
 * Draws reports into a size (contract section 6, `maxBytes`). The size of the whole report gives the bytes of its pages
 * without pictures. A sample of smaller pictures then gives the step at which all should fit, and they are made in that
 * step, rarely in a second one. The size of the drawn file decides.
 */
@Injectable()
export class ReportFitting {
  constructor(
    private readonly drawing: ReportDrawing,
    private readonly store: BlobStore,
    private readonly workers: PictureWorkers,
  ) {}

  /** Draws like `ReportDrawing.draw`. `prints` of the result is null if no picture is smaller than recorded. */
  async draw(claim: Claim, watch: DrawingWatch, order: FittingOrder): Promise<DrawnReport> {
    const { prints, maxBytes, ...options } = order;
    if (prints) {
      const all = await this.drawing.printsOf(claim);
      return withSmallerPrints(all, prints, this.makerFor(claim, watch), (stepped) =>
        this.drawing.draw(claim, watch, { ...options, stepped }),
      );
    }
    const whole = await this.drawing.draw(claim, watch, { ...options, ...unsignedAbove(maxBytes) });
    if (maxBytes === undefined || whole.blob.bytes <= maxBytes) return whole;
    await this.drawing.discard(whole);
    const drawn = await this.stepDown(claim, watch, { ...options, maxBytes, whatever: true }, whole);
    return drawn!;
  }

  /**
   * Draws the same report in a smaller size; returns undefined if it does not fit into `maxBytes`. Leaves `drawn` alone. If
   * the time stamp of `drawn` failed, none is requested for the smaller one: its caller has waited once.
   */
  smaller(
    claim: Claim,
    watch: DrawingWatch,
    drawn: DrawnReport,
    maxBytes: number,
  ): Promise<DrawnReport | undefined> {
    const unstamped = drawn.warnings.some(({ code }) => code === TIME_STAMP_FAILED);
    return this.stepDown(claim, watch, { maxBytes, whatever: false, unstamped }, drawn);
  }

  private makerFor(claim: Claim, { signal }: DrawingWatch): PrintMaker {
    return { store: this.store, workers: this.workers, chat: claim.id, signal };
  }

  /** `larger` is the same report in a larger size. */
  private async stepDown(
    claim: Claim,
    watch: DrawingWatch,
    { maxBytes, whatever, mark, unstamped = false }: StepDown,
    larger: DrawnReport,
  ): Promise<DrawnReport | undefined> {
    const prints = await this.drawing.printsOf(claim);
    const maker = this.makerFor(claim, watch);
    const pages = larger.blob.bytes - larger.pictureBytes + EVIDENCE_ONCE + EVIDENCE_EACH * prints.length;
    const estimate = estimator(prints, maker);
    const budget: PictureBudget = {
      bytes: maxBytes - pages,
      first: placeAfter(larger.prints),
      factor: MARGIN,
    };
    const last = PRINT_STEPS.length - 1;
    if (!whatever && (budget.bytes <= 0 || (await estimate(last)) > budget.bytes * MARGIN)) return undefined;
    while (budget.first <= last) {
      const place = await nextPlace(estimate, budget);
      const drawn = await withSmallerPrints(prints, PRINT_STEPS[place]!, maker, async (stepped) => {
        // Estimates of the next steps are assumed to be as wrong as this one was.
        budget.factor = Math.max(budget.factor, stepped.bytes / Math.max(1, await estimate(place)));
        if (stepped.bytes > budget.bytes && !(whatever && place === last)) return undefined;
        const unsigned = whatever && place === last ? {} : unsignedAbove(maxBytes);
        return this.drawing.draw(claim, watch, {
          ...(mark === undefined ? {} : { mark }),
          ...unsigned,
          unstamped,
          stepped,
        });
      });
      if (drawn && drawn.blob.bytes <= maxBytes) return drawn;
      if (drawn && whatever && place === last) return withWarning(drawn, maxBytes);
      if (drawn) await this.drawing.discard(drawn);
      budget.first = place + 1;
    }
    return undefined;
  }
}

type Estimate = (place: number) => Promise<number>;

/** Returns an estimate of the bytes of all pictures at a step, from a sample that is made once for each step. */
function estimator(prints: readonly Print[], maker: PrintMaker): Estimate {
  const sample = sampleOf(prints);
  const scale = sumOfBytes(prints) / Math.max(1, sumOfBytes(sample));
  const known = new Map<number, number>();
  return async (place) => {
    const bytes =
      known.get(place) ??
      (await withSmallerPrints(sample, PRINT_STEPS[place]!, maker, (made) => Promise.resolve(made.bytes)));
    known.set(place, bytes);
    return bytes * scale;
  };
}

const placeAfter = (prints: PrintStep | null): number =>
  PRINT_STEPS.findIndex(
    ({ longSide, quality }) => longSide === prints?.longSide && quality === prints.quality,
  ) + 1;

/** Leaves a larger file unsigned: it is only measured. */
const unsignedAbove = (bytes: number | undefined) => (bytes === undefined ? {} : { unsignedAbove: bytes });

const nextPlace = (estimate: Estimate, { bytes, first, factor }: PictureBudget) =>
  firstThatFits(first, async (place) => (await estimate(place)) * factor <= bytes);

function withWarning(drawn: DrawnReport, maxBytes: number): DrawnReport {
  const { bytes } = drawn.blob;
  const warning: Warning = {
    code: 'max_bytes_exceeded',
    message:
      `The file has ${bytes} bytes, ${bytes - maxBytes} more than maxBytes allows, although its pictures are as small as they may be. ` +
      'Send it in parts (POST /api/v1/pdf/reports/:id/pack), or as a link.',
    path: 'maxBytes',
  };
  return { ...drawn, warnings: foldWarnings([warning], drawn.warnings) };
}
