import { HeicFault } from './heic-fault.js';
import type { HeicTiles } from './heic-header.js';
import { AS_CODED, planesOf } from './heic-image.js';
import { attempt, ERROR_BYTES, type OpenHeic } from './heic-library.js';
import type { Band, HeicPlane, HeicPlanes } from './heic-means.js';

/** Decodes a picture one row of tiles at a time. Unreadable tiles are grey if at least one tile can be read. */
export class TileReader {
  isPartial = false;
  /** A decoded tile by its number, row after row; undefined for one that cannot be read. */
  private readonly images = new Map<number, number | undefined>();
  private readonly firstPlanes: HeicPlanes;
  private readonly grey: HeicPlanes;
  /** The first tile that can be read. */
  readonly first: number;

  constructor(
    private readonly file: OpenHeic,
    private readonly tiles: HeicTiles,
    private readonly options: number,
  ) {
    this.first = this.findFirst();
    this.firstPlanes = planesOf(file, this.first);
    this.grey = greyLike(this.firstPlanes);
  }

  *bands(): Generator<Band> {
    const { columns, rows, width } = this.tiles;
    for (let row = 0; row < rows; row++) {
      const images = Array.from({ length: columns }, (_, column) => this.imageAt(row * columns + column));
      // Decoding may move the samples in memory, so take the planes after the whole row is decoded.
      yield images.map((image, column) => ({ left: column * width, planes: this.planesOf(image) }));
      for (let column = 0; column < columns; column++) this.release(row * columns + column);
    }
  }

  close(): void {
    for (const number of this.images.keys()) this.release(number);
  }

  private findFirst(): number {
    for (let number = 0; number < this.tiles.columns * this.tiles.rows; number++) {
      const image = this.imageAt(number);
      if (image !== undefined) return image;
    }
    throw new HeicFault('damaged');
  }

  private planesOf(image: number | undefined): HeicPlanes {
    const planes = image === undefined ? undefined : planesOf(this.file, image);
    if (planes !== undefined && isAlike(planes, this.firstPlanes)) return planes;
    this.isPartial = true;
    return this.grey;
  }

  private imageAt(number: number): number | undefined {
    if (!this.images.has(number)) this.images.set(number, this.decode(number));
    return this.images.get(number);
  }

  private decode(number: number): number | undefined {
    const { libheif, scratch, source } = this.file;
    if (!('image' in source)) return undefined;
    const found = scratch + ERROR_BYTES;
    const { columns } = this.tiles;
    const position = [number % columns, Math.floor(number / columns)] as const;
    const fault = attempt(libheif, scratch, (error) =>
      libheif._heif_image_handle_decode_image_tile(
        ...[error, source.image, found, ...AS_CODED, this.options, ...position],
      ),
    );
    return fault === undefined ? libheif.HEAP32[found >> 2]! : undefined;
  }

  private release(number: number): void {
    const image = this.images.get(number);
    if (image !== undefined) this.file.libheif._heif_image_release(image);
    this.images.delete(number);
  }
}

const NAMES = ['y', 'cb', 'cr', 'alpha'] as const;
const MEASURES = ['width', 'height', 'bits'] as const;

const isAlike = (planes: HeicPlanes, others: HeicPlanes): boolean =>
  NAMES.every((name) => MEASURES.every((measure) => planes[name]?.[measure] === others[name]?.[measure]));

/** Returns planes of mid-grey in the same layout. */
function greyLike(planes: HeicPlanes): HeicPlanes {
  const filled = (plane: HeicPlane): HeicPlane => {
    const data = new Uint16Array(plane.width).fill(2 ** (plane.bits - 1));
    return { ...plane, data, offset: 0, stride: 0 };
  };
  return {
    y: filled(planes.y),
    ...(planes.cb && planes.cr ? { cb: filled(planes.cb), cr: filled(planes.cr) } : {}),
  };
}
