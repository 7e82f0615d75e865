import type { Camera } from '../../api/inspections.js';
import { type ExifDirectories, type ExifDirectory, openExif } from '../exif/exif-directories.js';

/** Degrees, north and east positive, to six decimals. */
export type Coordinates = NonNullable<Camera['place']>;

const LONGEST_DEVICE = 100;

const MAKE = 0x010f;
const MODEL = 0x0110;
const DATE_TIME = 0x0132;
const ORIGINAL = 0x9003;
const DIGITIZED = 0x9004;
const OFFSET = 0x9010;
const ORIGINAL_OFFSET = 0x9011;
const DIGITIZED_OFFSET = 0x9012;
const LATITUDE_LETTER = 1;
const LATITUDE = 2;
const LONGITUDE_LETTER = 3;
const LONGITUDE = 4;

/**
 * Reads the camera's data of an EXIF block or of a TIFF file (contract section 5). Returns undefined if it has none. Never
 * throws, and its work is bounded for any bytes.
 */
export function readCamera(bytes: Buffer | undefined): Camera | undefined {
  const exif = bytes && openExif(bytes);
  if (exif === undefined) return undefined;
  const camera = cameraOf(exif);
  return Object.keys(camera).length === 0 ? undefined : camera;
}

function cameraOf({ image, photo, gps }: ExifDirectories): Camera {
  const time = timeOf(image, photo);
  const place = placeOf(gps);
  const device = deviceOf(image);
  return {
    ...(time === undefined ? {} : { time }),
    ...(place === undefined ? {} : { place }),
    ...(device === undefined ? {} : { device }),
  };
}

/** Returns the time of the original, else of digitisation, else of the last write of the file. */
function timeOf(image: ExifDirectory, photo: ExifDirectory): string | undefined {
  const candidates = [
    [photo.text(ORIGINAL), photo.text(ORIGINAL_OFFSET)],
    [image.text(ORIGINAL), photo.text(ORIGINAL_OFFSET)],
    [photo.text(DIGITIZED), photo.text(DIGITIZED_OFFSET)],
    [image.text(DATE_TIME), photo.text(OFFSET)],
  ] as const;
  for (const [text, offset] of candidates) {
    const time = dateOf(text);
    if (time === undefined || !isYear(time.getUTCFullYear())) continue;
    return `${time.toISOString().slice(0, 19)}${isOffset(offset) ? offset : ''}`;
  }
  return undefined;
}

/** Reads a time as EXIF writes it; some cameras add more after it. */
function dateOf(text: string): Date | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)(?!\d)/.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/** Rejects the dates of unset clocks, whose zeros parse as an earlier year. */
const isYear = (year: number): boolean => year >= 1900 && year <= 9999;

const isOffset = (offset: string): boolean => /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset);

function placeOf(gps: ExifDirectory): Coordinates | undefined {
  const latitude = degreesOf(gps.fractions(LATITUDE), gps.text(LATITUDE_LETTER), 'S', 90);
  const longitude = degreesOf(gps.fractions(LONGITUDE), gps.text(LONGITUDE_LETTER), 'W', 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  // Written by phones that do not know their place yet.
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

/** Converts degrees, minutes and seconds to degrees; `negative` is the letter for south or west. */
function degreesOf(
  parts: readonly [number, number, number] | undefined,
  letter: string,
  negative: string,
  most: number,
): number | undefined {
  if (parts === undefined || letter === '') return undefined;
  const [degrees, minutes, seconds] = parts;
  // Cameras that write decimal minutes leave the seconds as 0/0, which is no number.
  const sum = degrees + (minutes || 0) / 60 + (seconds || 0) / 3600;
  if (!(sum >= 0 && sum <= most)) return undefined;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return letter.toUpperCase() === negative && rounded !== 0 ? -rounded : rounded;
}

function deviceOf(image: ExifDirectory): string | undefined {
  const [make, model] = [nameOf(image.text(MAKE)), nameOf(image.text(MODEL))];
  const named = model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
  return named.slice(0, LONGEST_DEVICE).toWellFormed().trim() || undefined;
}

const nameOf = (text: string): string =>
  text
    .slice(0, LONGEST_DEVICE)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ')
    .trim();
