/** Samples of one kind, of `bits` each: rows of `stride` samples from `offset` on in `data`. */
export interface HeicPlane {
  readonly data: Uint8Array | Uint16Array;
  readonly offset: number;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
}

/** The planes of a coded picture or tile: luminance, and chroma that may be subsampled. */
export interface HeicPlanes {
  readonly y: HeicPlane;
  readonly cb?: HeicPlane;
  readonly cr?: HeicPlane;
  readonly alpha?: HeicPlane;
}

/** Tiles of one height, side by side, across the whole coded picture. */
export type Band = readonly { readonly left: number; readonly planes: HeicPlanes }[];

/**
 * Computes means over squares of one plane, one row of squares at a time. Each sample of a subsampled plane counts for
 * the square in which it begins.
 */
export class MeanRow {
  private readonly sums: Float64Array;
  private readonly counts: Float64Array;
  private readonly means: Float32Array;
  /** The index of the sum for each column of samples, counted from the first that is shown. */
  private readonly sumOf: Uint32Array;
  private readonly first: number;
  /** Luminance samples per sample of this plane. */
  private readonly across: number;
  private readonly down: number;
  private readonly scale: number;
  private readonly isStretched: boolean;
  private readonly offset: number;
  private rows = 0;

  constructor(
    private readonly name: keyof HeicPlanes,
    planes: HeicPlanes,
    { left, columns, factor }: { left: number; columns: number; factor: number },
  ) {
    const plane = planes[name]!;
    this.across = plane.width < planes.y.width ? 2 : 1;
    this.down = plane.height < planes.y.height ? 2 : 1;
    this.scale = 255 / (2 ** plane.bits - 1);
    this.first = Math.floor(left / this.across);
    this.offset = left % this.across;
    this.isStretched = factor < this.across;
    const end = Math.ceil((left + columns * factor) / this.across);
    this.sumOf = Uint32Array.from({ length: end - this.first }, (_, index) => {
      if (this.isStretched) return index;
      return Math.min(columns - 1, Math.max(0, Math.floor((index * this.across - this.offset) / factor)));
    });
    const sums = this.isStretched ? this.sumOf.length : columns;
    this.sums = new Float64Array(sums);
    this.counts = new Float64Array(sums);
    for (const sum of this.sumOf) this.counts[sum]! += 1;
    this.means = new Float32Array(columns);
  }

  /** Adds the samples of luminance row `y` of a band. A subsampled row is added once, unless `forced`. */
  add(band: Band, y: number, forced: boolean): void {
    if (y % this.down !== 0 && !forced) return;
    for (const { left, planes } of band) {
      const plane = planes[this.name]!;
      this.addRow(
        plane,
        Math.min(plane.height - 1, Math.floor(y / this.down)),
        Math.floor(left / this.across),
      );
    }
    this.rows += 1;
  }

  /** Returns the means of the row of squares, 0 to 255; the previous means if no row of samples began in it. */
  take(): Float32Array {
    if (this.rows > 0) {
      const { sums, counts, means, isStretched, offset, across } = this;
      for (let column = 0; column < means.length; column++) {
        const sum = isStretched ? Math.floor((column + offset) / across) : column;
        means[column] = (sums[sum]! * this.scale) / (counts[sum]! * this.rows);
      }
      sums.fill(0);
      this.rows = 0;
    }
    return this.means;
  }

  private addRow({ data, offset, stride, width }: HeicPlane, row: number, left: number): void {
    const { sums, sumOf, first } = this;
    const shift = first - left;
    const start = Math.max(0, shift);
    const end = Math.min(width, shift + sumOf.length);
    const from = offset + row * stride;
    for (let x = start; x < end; x++) sums[sumOf[x - shift]!]! += data[from + x]!;
  }
}
