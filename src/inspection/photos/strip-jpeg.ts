import { type JpegStructure, skipScan } from './jpeg-structure.js';

const APP0 = 0xe0;
const APP2 = 0xe2;
const APP14 = 0xee;
const COMMENT = 0xfe;
const SOS = 0xda;

/** A colour profile larger than this is no camera's. */
const LARGEST_PROFILE = 128 * 1024;

/**
 * The same pixels without metadata: every application segment and comment goes (EXIF with its position and thumbnail,
 * XMP, maker notes, further pictures, what hangs after the end) except JFIF, Adobe's colour transform and the colour
 * profile, which say how the pixels look. Undefined when the file has no end marker.
 */
export function stripJpeg(bytes: Uint8Array, structure: JpegStructure): Buffer | undefined {
  if (structure.end === undefined) return undefined;
  const profile = structure.segments.filter((segment) => isProfile(bytes, segment));
  const profileBytes = profile.reduce((sum, segment) => sum + segment.end - segment.start, 0);
  const parts: Uint8Array[] = [Uint8Array.of(0xff, 0xd8)];
  for (const segment of structure.segments) {
    const keep = isProfile(bytes, segment)
      ? profileBytes <= LARGEST_PROFILE
      : !isApplication(segment.marker) || saysHowPixelsLook(bytes, segment);
    if (!keep) continue;
    const end = segment.marker === SOS ? skipScan(bytes, segment.end) : segment.end;
    parts.push(bytes.subarray(segment.start, Math.min(end, structure.end - 2)));
  }
  parts.push(Uint8Array.of(0xff, 0xd9));
  return Buffer.concat(parts);
}

interface Segment {
  marker: number;
  start: number;
  end: number;
}

const isApplication = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === COMMENT;

const startsWith = (bytes: Uint8Array, segment: Segment, text: string): boolean => {
  const at = bytes.indexOf(segment.marker, segment.start) + 3;
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(text.length, segment.end - at)).equals(
    Buffer.from(text, 'latin1'),
  );
};

const isProfile = (bytes: Uint8Array, segment: Segment): boolean =>
  segment.marker === APP2 && startsWith(bytes, segment, 'ICC_PROFILE\0');

/** JFIF of the usual length only: a longer one carries a thumbnail. */
const saysHowPixelsLook = (bytes: Uint8Array, segment: Segment): boolean =>
  (segment.marker === APP0 && startsWith(bytes, segment, 'JFIF\0') && segment.end - segment.start <= 18) ||
  (segment.marker === APP14 && startsWith(bytes, segment, 'Adobe') && segment.end - segment.start <= 16);
