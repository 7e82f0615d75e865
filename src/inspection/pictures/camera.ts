import readExif from 'exif-reader';
import type { Camera } from '../../api/inspections.js';
import { TiffReader } from './tiff-directory.js';

/** Degrees, north and east positive, to six decimals. */
export type Coordinates = NonNullable<Camera['place']>;

const LONGEST_DEVICE = 100;

/**
 * Reads the EXIF block of a picture (contract section 5). Returns undefined if it has none of these data. Never throws,
 * and its work is bounded for any block.
 */
export function readCamera(block: Buffer | undefined): Camera | undefined {
  const bounded = block && boundedExif(block);
  if (bounded === undefined) return undefined;
  try {
    const camera = cameraOf(readExif(bounded));
    return Object.keys(camera).length === 0 ? undefined : camera;
  } catch {
    // A block that is cut off or points outside itself is ignored.
    return undefined;
  }
}

type Directory = Readonly<Record<string, unknown>>;

function cameraOf({ Image, Photo, GPSInfo }: ReturnType<typeof readExif>): Camera {
  const [image, photo, gps] = [Image ?? {}, Photo ?? {}, GPSInfo ?? {}] as Directory[];
  const time = timeOf(image!, photo!);
  const place = placeOf(gps!);
  const device = deviceOf(image!);
  return {
    ...(time === undefined ? {} : { time }),
    ...(place === undefined ? {} : { place }),
    ...(device === undefined ? {} : { device }),
  };
}

/** Returns the time of the original, else of digitisation, else of the last write of the file. */
function timeOf(image: Directory, photo: Directory): string | undefined {
  const candidates = [
    [photo['DateTimeOriginal'], photo['OffsetTimeOriginal']],
    [image['DateTimeOriginal'], photo['OffsetTimeOriginal']],
    [photo['DateTimeDigitized'], photo['OffsetTimeDigitized']],
    [image['DateTime'], photo['OffsetTime']],
  ];
  for (const [time, offset] of candidates) {
    if (!(time instanceof Date) || !isYear(time.getUTCFullYear())) continue;
    return `${time.toISOString().slice(0, 19)}${isOffset(offset) ? offset : ''}`;
  }
  return undefined;
}

/** Rejects the dates of unset clocks, whose zeros parse as an earlier year. */
const isYear = (year: number): boolean => year >= 1900 && year <= 9999;

const isOffset = (offset: unknown): offset is string =>
  typeof offset === 'string' && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset);

function placeOf(gps: Directory): Coordinates | undefined {
  const latitude = degreesOf(gps['GPSLatitude'], gps['GPSLatitudeRef'], 'S', 90);
  const longitude = degreesOf(gps['GPSLongitude'], gps['GPSLongitudeRef'], 'W', 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  // Written by phones that do not know their place yet.
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

/** Converts degrees, minutes and seconds to degrees; `negative` is the letter for south or west. */
function degreesOf(parts: unknown, letter: unknown, negative: string, most: number): number | undefined {
  if (!Array.isArray(parts) || parts.length !== 3 || typeof letter !== 'string') return undefined;
  const [degrees, minutes, seconds] = parts as number[];
  // Cameras that write decimal minutes leave the seconds as 0/0, which is no number.
  const sum = Number(degrees) + (Number(minutes) || 0) / 60 + (Number(seconds) || 0) / 3600;
  if (!(sum >= 0 && sum <= most)) return undefined;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return letter.toUpperCase() === negative && rounded !== 0 ? -rounded : rounded;
}

function deviceOf(image: Directory): string | undefined {
  const [make, model] = [nameOf(image['Make']), nameOf(image['Model'])];
  const named = model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
  return named.slice(0, LONGEST_DEVICE).toWellFormed().trim() || undefined;
}

/** Reads an ASCII member that some cameras write as UTF-8. */
function nameOf(value: unknown): string {
  const text = Buffer.isBuffer(value) ? value.subarray(0, 4 * LONGEST_DEVICE).toString('utf8') : value;
  if (typeof text !== 'string') return '';
  return text
    .slice(0, LONGEST_DEVICE)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ')
    .trim();
}

/** Limit on the EXIF block: a JPEG segment holds 64 KB, other formats have no limit of their own. */
const MOST_BYTES = 128 * 1024;
const MOST_DIRECTORIES = 8;
const MOST_ENTRIES = 200;
/** Limit on the numbers in one entry. The entries read here have at most three; maker tables are opaque bytes. */
const MOST_NUMBERS = 4096;

const ASCII = 2;
const LONG = 4;
const OPAQUE = 7;
const SIGNED_LONG = 9;
/** The tags that point to further directories: EXIF, GPS, interoperability. */
const POINTERS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005]);
/** The tags of times: of the file, the original, digitisation. */
const TIMES: ReadonlySet<number> = new Set([0x0132, 0x9003, 0x9004]);
/** Bytes of a time with its final zero. Some cameras pad it with more zeros, with which it is not read as a time. */
const TIME_BYTES = 20;

/**
 * Returns a copy of an EXIF block that is cheap to read, with its times cut to their length. A hostile block of 64 KB can
 * take minutes and gigabytes: each of its thousands of entries may claim all of its bytes, and directories may point to
 * each other. A block that claims more than any camera writes is not read at all.
 */
function boundedExif(block: Buffer): Buffer | undefined {
  if (block.length > MOST_BYTES) return undefined;
  const start = /^(II\x2a|MM\0)/.test(block.toString('latin1', 0, 3)) ? 0 : 6;
  if (block.length < start + 8) return undefined;
  const copy = Buffer.from(block);
  const writeLong = copy[start] === 0x49 ? 'writeUInt32LE' : 'writeUInt32BE';
  const reader = new TiffReader(copy.subarray(start));
  const waiting = [reader.long(4)];
  const seen = new Set<number>();
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const size = reader.size(directory);
    if (seen.has(directory) || size === undefined) continue;
    if (seen.add(directory).size > MOST_DIRECTORIES || size > MOST_ENTRIES) return undefined;
    for (const { tag, type, count, at } of reader.entries(directory)) {
      if (type !== ASCII && type !== OPAQUE && count > MOST_NUMBERS) return undefined;
      if (TIMES.has(tag) && type === ASCII && count > TIME_BYTES) copy[writeLong](TIME_BYTES, start + at - 4);
      if (!POINTERS.has(tag)) continue;
      if ((type !== LONG && type !== SIGNED_LONG) || count !== 1) return undefined;
      waiting.push(reader.long(at));
    }
    const next = directory + 2 + size * 12;
    if (next + 4 <= reader.length && reader.long(next) !== 0) waiting.push(reader.long(next));
  }
  return copy;
}
