import { Injectable } from '@nestjs/common';
import { foldWarnings, type Warning } from '../../common/warnings.js';
import type { Claim } from '../../inspection/claims/claim.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import { TIME_STAMP_FAILED } from '../signing/report-signing.js';
import type { DrawingOptions, DrawingWatch, DrawnReport } from './drawn-report.js';
import { sumOfBytes, firstThatFits, PRINT_STEPS, sampleOf } from './print-steps.js';
import { ReportDrawing } from './report-drawing.js';
import { type Print, SmallerPrints } from './smaller-prints.js';

/** Options for drawing a report. */
export interface FittingOrder {
  /** A word at the head of each page. */
  readonly mark?: string;
  /** The most bytes that its file should have. */
  readonly maxBytes?: number;
  /** Of a report that is drawn again: the size that its pictures were stepped down to. */
  readonly prints?: PrintStep;
  /** Of a report that is drawn again: the signature that was kept of it. */
  readonly again?: NonNullable<DrawingOptions['again']>;
}

interface StepDown {
  readonly maxBytes: number;
  /** A file that is too large even at the last step is answered all the same, with a warning. */
  readonly whatever: boolean;
  readonly mark?: string;
  readonly unstamped?: boolean;
}

/** The room that the pictures may take, and how much larger than a sample foretells they came out before. */
interface Room {
  readonly bytes: number;
  /** The place of the first step that was not tried. */
  first: number;
  factor: number;
}

/** A sample is not all: so much smaller the foretold pictures must be. */
const MARGIN = 1.02;
/** Bytes that the list of evidence grows by: for each smaller picture, and once. */
const EVIDENCE_EACH = 24;
const EVIDENCE_ONCE = 1024;

/**
 * Draws reports into a size (contract section 6, `maxBytes`). A report that is too large as it is tells what its pages take
 * without the pictures; a few pictures, made smaller, foretell the step at which all will fit. Each is made once for the
 * pages then, seldom twice, and what decides is the size of the file itself.
 */
@Injectable()
export class ReportFitting {
  constructor(
    private readonly drawing: ReportDrawing,
    private readonly copies: SmallerPrints,
  ) {}

  /** As `ReportDrawing.draw`. `prints` of the answer is null where no picture is smaller than it was recorded. */
  async draw(claim: Claim, watch: DrawingWatch, order: FittingOrder): Promise<DrawnReport> {
    const { prints, maxBytes, ...options } = order;
    const maker = { chat: claim.id, signal: watch.signal };
    if (prints) {
      const all = await this.drawing.printsOf(claim);
      return this.copies.with(all, prints, maker, (stepped) =>
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
   * The same report in a smaller size; undefined where it does not fit into `maxBytes`. `drawn` is kept as it is. Where it
   * got no time stamp, the smaller one asks for none: its caller has waited once.
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

  /** `larger` is the report in another size. */
  private async stepDown(
    claim: Claim,
    watch: DrawingWatch,
    { maxBytes, whatever, mark, unstamped = false }: StepDown,
    larger: DrawnReport,
  ): Promise<DrawnReport | undefined> {
    const prints = await this.drawing.printsOf(claim);
    const maker = { chat: claim.id, signal: watch.signal };
    const pages = larger.blob.bytes - larger.pictureBytes + EVIDENCE_ONCE + EVIDENCE_EACH * prints.length;
    const foretell = this.foreteller(prints, maker);
    const room: Room = { bytes: maxBytes - pages, first: placeAfter(larger.prints), factor: MARGIN };
    const last = PRINT_STEPS.length - 1;
    if (!whatever && (room.bytes <= 0 || (await foretell(last)) > room.bytes * MARGIN)) return undefined;
    while (room.first <= last) {
      const place = await nextPlace(foretell, room);
      const drawn = await this.copies.with(prints, PRINT_STEPS[place]!, maker, async (stepped) => {
        // The next steps are foretold as wrongly as this one was.
        room.factor = Math.max(room.factor, stepped.bytes / Math.max(1, await foretell(place)));
        if (stepped.bytes > room.bytes && !(whatever && place === last)) return undefined;
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
      room.first = place + 1;
    }
    return undefined;
  }

  /** Bytes of all the pictures at a step, as a sample of them tells; each step of the sample is made once. */
  private foreteller(prints: readonly Print[], maker: { chat: string; signal: AbortSignal }) {
    const sample = sampleOf(prints);
    const scale = sumOfBytes(prints) / Math.max(1, sumOfBytes(sample));
    const known = new Map<number, number>();
    return async (place: number): Promise<number> => {
      const bytes =
        known.get(place) ??
        (await this.copies.with(sample, PRINT_STEPS[place]!, maker, (made) => Promise.resolve(made.bytes)));
      known.set(place, bytes);
      return bytes * scale;
    };
  }
}

const placeAfter = (prints: PrintStep | null): number =>
  PRINT_STEPS.findIndex(
    ({ longSide, quality }) => longSide === prints?.longSide && quality === prints.quality,
  ) + 1;

/** A larger file is only measured. */
const unsignedAbove = (bytes: number | undefined) => (bytes === undefined ? {} : { unsignedAbove: bytes });

const nextPlace = (foretell: (place: number) => Promise<number>, { bytes, first, factor }: Room) =>
  firstThatFits(first, async (place) => (await foretell(place)) * factor <= bytes);

function withWarning(drawn: DrawnReport, maxBytes: number): DrawnReport {
  const { bytes } = drawn.blob;
  const warning: Warning = {
    code: 'max_bytes_exceeded',
    message:
      `The file has ${bytes} bytes, ${bytes - maxBytes} more than maxBytes allows, with its pictures as small as they may be. ` +
      'Send it in parts (POST /api/v1/pdf/reports/:id/pack), or as a link.',
    path: 'maxBytes',
  };
  return { ...drawn, warnings: foldWarnings([warning], drawn.warnings) };
}
