import { createRequire } from 'node:module';
import { undecodable } from './picture.js';

/** Pixels of a decoded HEIC picture, upright, four bytes each (RGBA). */
export interface RawPicture {
  data: Buffer;
  width: number;
  height: number;
}

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary?(): boolean;
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (result: unknown) => void,
  ): void;
  free?(): void;
}

interface LibHeif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

/**
 * Decodes HEIC/HEIF with libheif in WebAssembly: about a second and 400 MB for 12 megapixels, on the calling thread.
 * `checkSize` is asked before any pixel is decoded and throws when there are too many.
 */
export async function decodeHeic(
  bytes: Uint8Array,
  checkSize: (width: number, height: number) => void,
): Promise<RawPicture> {
  // Loaded with the first HEIC: the module holds megabytes of WebAssembly.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle.js') as LibHeif;
  const images = new libheif.HeifDecoder().decode(bytes);
  const image = images.find((candidate) => candidate.is_primary?.()) ?? images[0];
  if (image === undefined) throw undecodable('holds no image that can be read');
  try {
    const width = image.get_width();
    const height = image.get_height();
    checkSize(width, height);
    const data = new Uint8ClampedArray(width * height * 4);
    const shown = await new Promise((resolve) => image.display({ data, width, height }, resolve));
    if (!shown) throw undecodable('is damaged and cannot be decoded');
    return { data: Buffer.from(data.buffer), width, height };
  } finally {
    for (const each of images) each.free?.();
  }
}
