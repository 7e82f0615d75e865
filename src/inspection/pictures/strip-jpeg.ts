import { hasProfile, isProfileSegment, plainProfile } from './colour-profile.js';
import { type JpegSegment, type JpegStructure, skipScan, SOS } from './jpeg-structure.js';

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
const COMMENT = 0xfe;

/** An upright JPEG up to this long side is printed as it is. */
export const RETAINED_SIDE = 1600;

/**
 * Returns true if a JPEG is printed without recoding: it is upright and small, and every PDF reader shows the same
 * colours.
 */
export function retainsPixels(bytes: Uint8Array, structure: JpegStructure): boolean {
  const { width, height, components, precision, common, orientation } = structure;
  if (Math.max(width, height) > RETAINED_SIDE || orientation !== 1 || !common || precision !== 8)
    return false;
  if (components.length !== 1 && !(components.length === 3 && areColoursClear(bytes, structure)))
    return false;
  return !hasProfile(bytes, structure) || plainProfile(bytes, structure) !== undefined;
}

/** Returns false for components named R, G and B, and for Adobe's segment beside JFIF: readers disagree on both. */
function areColoursClear(bytes: Uint8Array, { components, segments }: JpegStructure): boolean {
  const adobe = segments.find((segment) => isAdobe(bytes, segment));
  if (adobe === undefined) return String.fromCharCode(...components.map(({ id }) => id)) !== 'RGB';
  const isConverted = bytes[adobe.body + 13] === 1;
  return isConverted || !segments.some((segment) => isJfif(bytes, segment));
}

/**
 * Returns the same pixels without metadata. Removes every comment and application segment (EXIF with its position and
 * thumbnail, XMP, maker notes, further pictures), bytes between segments and bytes after the end marker. Retains JFIF,
 * Adobe's colour transform and the colour profile, which the colours depend on. Adds a missing end marker. `withExif`
 * retains EXIF, for its orientation.
 */
export function stripJpeg(
  bytes: Uint8Array,
  { segments, end = bytes.length + 2 }: JpegStructure,
  { withExif = false } = {},
): Buffer {
  const parts: Uint8Array[] = [Uint8Array.of(0xff, 0xd8)];
  for (const segment of segments) {
    const retain =
      !isApplication(segment.marker) ||
      isProfileSegment(bytes, segment) ||
      isJfif(bytes, segment) ||
      isAdobe(bytes, segment) ||
      (withExif && segment.marker === APP1);
    if (!retain) continue;
    const last = segment.marker === SOS ? Math.min(skipScan(bytes, segment.end), end - 2) : segment.end;
    parts.push(Uint8Array.of(0xff, segment.marker), bytes.subarray(segment.body, last));
  }
  parts.push(Uint8Array.of(0xff, 0xd9));
  return Buffer.concat(parts);
}

const isApplication = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === COMMENT;

const startsWith = (bytes: Uint8Array, { body }: JpegSegment, text: string): boolean =>
  Buffer.from(bytes.subarray(body + 2, body + 2 + text.length)).equals(Buffer.from(text, 'latin1'));

/** Accepts JFIF of the usual length only: a longer one carries a thumbnail, a shorter one has no content. */
const isJfif = (bytes: Uint8Array, segment: JpegSegment): boolean =>
  segment.marker === APP0 && segment.end - segment.body === 16 && startsWith(bytes, segment, 'JFIF\0');

/** Accepts Adobe's segment of the usual length only: decoders do not read a shorter one. */
const isAdobe = (bytes: Uint8Array, segment: JpegSegment): boolean =>
  segment.marker === APP14 && segment.end - segment.body === 14 && startsWith(bytes, segment, 'Adobe');
