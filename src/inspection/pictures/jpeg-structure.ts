import { orientationOf } from '../exif/tiff-directory.js';

/** One marker segment: `body` at its length field, `end` after its last byte. */
export interface JpegSegment {
  marker: number;
  body: number;
  end: number;
}

/** A component of the frame: its name, the sampling factors across and down, and the name of its quantisation table. */
export interface JpegComponent {
  id: number;
  across: number;
  down: number;
  steps: number;
}

/** The header of a JPEG, read before it is decoded. */
export interface JpegStructure {
  width: number;
  height: number;
  components: JpegComponent[];
  /** Samples per pixel after chroma subsampling: 1.5 for a usual photograph, 3 without subsampling. */
  density: number;
  /** Number of scans; with more than one, the whole picture stays in memory until the last. */
  scans: number;
  /** Bits a sample. */
  precision: number;
  /** Sequential Huffman coding (SOF0, SOF1): such a file can be shrunk while it is decoded. */
  baseline: boolean;
  /** Huffman coded and lossy (SOF0, SOF1, SOF2), which every reader of PDF can draw. */
  common: boolean;
  /** EXIF orientation, 1 to 8; 1 when there is none. */
  orientation: number;
  /** All segments up to the end marker, entropy-coded data apart. */
  segments: JpegSegment[];
  /** Just after the end-of-image marker; undefined when the file ends without one. */
  end: number | undefined;
}

const SOI = 0xd8;
const EOI = 0xd9;
export const SOS = 0xda;
const APP1 = 0xe1;

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
const standsAlone = (marker: number): boolean => isRestart(marker) || marker === 0x01 || marker === SOI;

/**
 * Reads the markers of a JPEG in one pass, as common decoders do: bytes between two segments are skipped. Undefined when
 * there is no frame header with a size. Never reads past the bytes given.
 */
export function readJpeg(bytes: Uint8Array): JpegStructure | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments: JpegSegment[] = [];
  let frame: Omit<JpegStructure, 'orientation' | 'segments' | 'end' | 'scans'> | undefined;
  let orientation: number | undefined;
  let end: number | undefined;
  for (let at = nextMarker(bytes, 2); at + 1 < bytes.length;) {
    const marker = bytes[at + 1]!;
    const body = at + 2;
    if (marker === EOI) {
      end = body;
      break;
    }
    if (standsAlone(marker)) {
      at = nextMarker(bytes, body);
      continue;
    }
    if (body + 2 > bytes.length) break;
    // A length below its own two bytes counts as an empty segment.
    const next = body + Math.max(2, view.getUint16(body));
    if (next > bytes.length) break;
    if (isFrame(marker)) frame ??= readFrame(marker, view, body, next);
    if (marker === APP1) orientation ??= exifOrientation(bytes.subarray(body + 2, next));
    segments.push({ marker, body, end: next });
    at = marker === SOS ? skipScan(bytes, next) : nextMarker(bytes, next);
  }
  const scans = segments.filter(({ marker }) => marker === SOS).length;
  return frame && { ...frame, orientation: orientation ?? 1, scans, segments, end };
}

/** Returns the position of the last 0xff before the next marker, at or after `from`; the length if there is none. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1];
    if (marker !== undefined && marker !== 0 && marker !== 0xff) return at;
  }
  return bytes.length;
}

function readFrame(marker: number, view: DataView, at: number, end: number) {
  if (end - at < 8) return undefined;
  const count = Math.min(view.getUint8(at + 7), Math.floor((end - at - 8) / 3));
  const components = Array.from({ length: count }, (_, index): JpegComponent => {
    const from = at + 8 + 3 * index;
    const sampling = view.getUint8(from + 1);
    return {
      id: view.getUint8(from),
      across: sampling >> 4,
      down: sampling & 15,
      steps: view.getUint8(from + 2),
    };
  });
  return {
    precision: view.getUint8(at + 2),
    height: view.getUint16(at + 3),
    width: view.getUint16(at + 5),
    components,
    baseline: marker <= 0xc1,
    common: marker <= 0xc2,
    density: densityOf(components),
  };
}

/** Returns the sum of the components' areas relative to the largest. */
function densityOf(components: readonly JpegComponent[]): number {
  const sum = components.reduce((area, { across, down }) => area + across * down, 0);
  const across = Math.max(1, ...components.map((component) => component.across));
  const down = Math.max(1, ...components.map((component) => component.down));
  return Math.max(1, sum / (across * down));
}

/** Returns the end of a scan's entropy-coded data: the next marker that is neither a stuffed byte nor a restart. */
export function skipScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1]!;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2);
  }
  return bytes.length;
}

const EXIF = 'Exif\0\0';
/** The orientation tag of an EXIF segment. */
const exifOrientation = (segment: Uint8Array): number | undefined =>
  String.fromCharCode(...segment.subarray(0, 6)) === EXIF ? orientationOf(segment.subarray(6)) : undefined;
