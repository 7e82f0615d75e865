import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { plainProfile } from '../../../inspection/pictures/colour-profile.js';
import { readJpeg } from '../../../inspection/pictures/jpeg-structure.js';

/** An open JPEG on disk, with the entries for its dictionary in the PDF. */
export interface JpegFile {
  readonly descriptor: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly channels: 1 | 3 | 4;
  /** The ICC profile of its colours; absent for sRGB. */
  readonly profile?: Buffer;
}

const HEAD = Buffer.allocUnsafe(64 * 1024);

/**
 * Opens a picture for embedding. Returns null if it is missing, has another SHA-256 than recorded, or is no complete JPEG.
 * The caller closes the descriptor.
 */
export function openJpeg(path: string, sha256: string | null = null): JpegFile | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return null;
  }
  const picture = inspect(descriptor, sha256);
  if (!picture) closeSync(descriptor);
  return picture;
}

function inspect(descriptor: number, sha256: string | null): JpegFile | null {
  const status = fstatSync(descriptor);
  if (!status.isFile() || (sha256 !== null && hashOf(descriptor) !== sha256)) return null;
  const read = readSync(descriptor, HEAD, 0, HEAD.length, 0);
  const frame = readHead(HEAD.subarray(0, read));
  if (!frame || !endsWithMarker(descriptor, status.size)) return null;
  return { descriptor, length: status.size, ...frame };
}

function hashOf(descriptor: number): string {
  const hash = createHash('sha256');
  for (let at = 0, read: number; (read = readSync(descriptor, HEAD, 0, HEAD.length, at)) > 0; at += read)
    hash.update(HEAD.subarray(0, read));
  return hash.digest('hex');
}

type Head = Omit<JpegFile, 'descriptor' | 'length'>;

function readHead(head: Buffer): Head | null {
  const jpeg = readJpeg(head);
  if (jpeg === undefined || jpeg.width === 0 || jpeg.height === 0) return null;
  const { width, height, precision: bits, components } = jpeg;
  const channels = components.length;
  if (channels !== 1 && channels !== 3 && channels !== 4) return null;
  const profile = plainProfile(head, jpeg);
  return { width, height, bits, channels, ...(profile === undefined ? {} : { profile }) };
}

/** Looks for the end marker in the last bytes. Some cameras pad after it; a truncated file has none. */
function endsWithMarker(descriptor: number, size: number): boolean {
  const tail = Buffer.allocUnsafe(Math.min(size, 64));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  return tail.lastIndexOf(Buffer.from([0xff, 0xd9])) >= 0;
}
