import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A JPEG on disk, open, with what its dictionary in the PDF must say. */
export interface JpegFile {
  readonly descriptor: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly channels: 1 | 3 | 4;
}

const HEAD = Buffer.allocUnsafe(64 * 1024);
const NOT_FRAMES = new Set([0xc4, 0xc8, 0xcc]);

/**
 * Opens a picture for embedding; null when it is missing, has another length than recorded, or is no complete JPEG.
 * The caller closes the descriptor.
 */
export function openJpeg(path: string, expectedLength?: number): JpegFile | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return null;
  }
  const picture = inspect(descriptor, expectedLength);
  if (!picture) closeSync(descriptor);
  return picture;
}

function inspect(descriptor: number, expectedLength: number | undefined): JpegFile | null {
  const status = fstatSync(descriptor);
  if (!status.isFile() || (expectedLength !== undefined && status.size !== expectedLength)) return null;
  const read = readSync(descriptor, HEAD, 0, HEAD.length, 0);
  const frame = frameOf(HEAD.subarray(0, read));
  if (!frame || !endsWithMarker(descriptor, status.size)) return null;
  return { descriptor, length: status.size, ...frame };
}

type Frame = Pick<JpegFile, 'width' | 'height' | 'bits' | 'channels'>;

/** Walks the segments to the frame header. */
function frameOf(head: Buffer): Frame | null {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < head.length;) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker)) return readFrame(head, at + 4);
    at += 2 + head.readUInt16BE(at + 2);
  }
  return null;
}

function readFrame(head: Buffer, at: number): Frame | null {
  const channels = head[at + 5];
  const frame = {
    bits: head[at] as number,
    height: head.readUInt16BE(at + 1),
    width: head.readUInt16BE(at + 3),
  };
  if (frame.width === 0 || frame.height === 0) return null;
  return channels === 1 || channels === 3 || channels === 4 ? { ...frame, channels } : null;
}

/** The end marker must be in the last bytes: some cameras pad behind it, a cut-off file has none. */
function endsWithMarker(descriptor: number, size: number): boolean {
  const tail = Buffer.allocUnsafe(Math.min(size, 64));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  return tail.lastIndexOf(Buffer.from([0xff, 0xd9])) >= 0;
}
