import readExif from 'exif-reader';
import type { Camera } from '../../api/inspections.js';
import { TiffReader } from './jpeg/tiff-directory.js';

/** Degrees, north and east positive, to six decimals. */
export type Coordinates = NonNullable<Camera['place']>;

const LONGEST_DEVICE = 100;

/**
 * Reads the EXIF block of a picture (contract section 5). Undefined where it says nothing of this; never throws, and the
 * work is bounded whatever the block says.
 */
export function readCamera(block: Buffer | undefined): Camera | undefined {
  if (block === undefined || !isBoundedExif(block)) return undefined;
  try {
    const camera = cameraOf(readExif(block));
    return Object.keys(camera).length === 0 ? undefined : camera;
  } catch {
    // A block that breaks off or points beyond itself says nothing; the picture is none the worse for it.
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

/** When it was taken, else when it was digitised, else when the file was written. */
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

/** Unset clocks write zeros, which come out as a year before. */
const isYear = (year: number): boolean => year >= 1900 && year <= 9999;

const isOffset = (offset: unknown): offset is string =>
  typeof offset === 'string' && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset);

function placeOf(gps: Directory): Coordinates | undefined {
  const latitude = degreesOf(gps['GPSLatitude'], gps['GPSLatitudeRef'], 'S', 90);
  const longitude = degreesOf(gps['GPSLongitude'], gps['GPSLongitudeRef'], 'W', 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Degrees, minutes and seconds; `negative` is the letter of the south or the west. */
function degreesOf(parts: unknown, letter: unknown, negative: string, most: number): number | undefined {
  if (!Array.isArray(parts) || parts.length !== 3 || typeof letter !== 'string') return undefined;
  const [degrees, minutes, seconds] = parts as number[];
  const sum = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  if (!(sum >= 0 && sum <= most)) return undefined;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return letter.toUpperCase() === negative && rounded !== 0 ? -rounded : rounded;
}

function deviceOf(image: Directory): string | undefined {
  const [make, model] = [nameOf(image['Make']), nameOf(image['Model'])];
  const named = model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
  return named.slice(0, LONGEST_DEVICE).toWellFormed().trim() || undefined;
}

/** Some write UTF-8 where ASCII is due: it is read as bytes. */
function nameOf(value: unknown): string {
  const text = Buffer.isBuffer(value) ? value.subarray(0, 4 * LONGEST_DEVICE).toString('utf8') : value;
  if (typeof text !== 'string') return '';
  return text
    .slice(0, LONGEST_DEVICE)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ')
    .trim();
}

/** A segment of JPEG holds 64 KB; containers of other formats would take any length. */
const MOST_BYTES = 128 * 1024;
const MOST_DIRECTORIES = 8;
const MOST_ENTRIES = 200;
/** Numbers of one entry. What a camera says takes three; tables of its maker are opaque bytes. */
const MOST_NUMBERS = 4096;

const ASCII = 2;
const LONG = 4;
const OPAQUE = 7;
/** The entries that point to further directories: of the picture, of the place, of interoperability. */
const POINTERS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005]);

/**
 * Whether reading the whole of an EXIF block is cheap. Each of thousands of entries may claim all bytes of the block as
 * its numbers, and directories may be each other's: 64 KB were read for minutes, into gigabytes. A block that claims more
 * than any camera writes is not read at all.
 */
function isBoundedExif(block: Buffer): boolean {
  if (block.length > MOST_BYTES) return false;
  const start = /^(II\x2a|MM\0)/.test(block.toString('latin1', 0, 3)) ? 0 : 6;
  if (block.length < start + 8) return false;
  const reader = new TiffReader(block.subarray(start));
  const waiting = [reader.long(4)];
  const seen = new Set<number>();
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const size = reader.size(directory);
    if (seen.has(directory) || size === undefined) continue;
    if (seen.add(directory).size > MOST_DIRECTORIES || size > MOST_ENTRIES) return false;
    for (const { tag, type, count, at } of reader.entries(directory)) {
      if (type !== ASCII && type !== OPAQUE && count > MOST_NUMBERS) return false;
      if (!POINTERS.has(tag)) continue;
      if (type !== LONG || count !== 1) return false;
      waiting.push(reader.long(at));
    }
    const next = directory + 2 + size * 12;
    if (next + 4 <= reader.length && reader.long(next) !== 0) waiting.push(reader.long(next));
  }
  return true;
}
