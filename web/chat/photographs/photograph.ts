import { sizeInWords } from '../../common/size-in-words.js';
import { uniqueId } from '../../common/unique-id.js';
import { texts } from '../texts.js';

/** The upload state of a photograph. */
export type Journey =
  /** Being stored on this device. */
  | { at: 'keeping' }
  | { at: 'waiting' }
  /** `share`: the part that has been sent, 0 to 1. */
  | { at: 'sending'; share: number }
  /** Uploaded; `issued` is its name at the service. */
  | { at: 'there'; issued: string }
  | FailedJourney;

/** `again`: a retry may succeed. `lost`: retried automatically. */
interface FailedJourney {
  at: 'failed';
  sentence: string;
  again: boolean;
  lost?: boolean;
  /** The time after which the service asked to be called again. */
  afterSeconds?: number;
}

/** One photograph attached to the message. */
export interface Photograph {
  /** Also its `messageId`: the service records one id once. */
  id: string;
  name: string;
  bytes: number;
  journey: Journey;
  /** Stored on the device, so it survives a reload. */
  onDevice: boolean;
  /** The id of the waiting message that it belongs to. */
  message?: string;
  /** The browser supports the format but cannot decode this file. */
  damaged?: boolean;
}

/** The limits that a flow sets on photographs. */
export interface PhotographLimits {
  most: number;
  largestBytes: number;
}

/** A chosen file with its entry in the tray. */
export interface Chosen {
  photograph: Photograph;
  file: File;
}

export const MOST_PHOTOGRAPHS = 50;
export const LARGEST_BYTES = 25 * 1024 * 1024;

const MOST_NAMED = 3;

const endings = ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.heic', '.heif', '.gif', '.tif', '.tiff'];

const isPicture = (file: File): boolean =>
  (file.type.startsWith('image/') && file.type !== 'image/svg+xml') ||
  endings.some((ending) => file.name.toLowerCase().endsWith(ending));

/** Formats that every browser shows: a file of these that cannot be decoded is damaged. */
export const isShowable = ({ type }: Blob): boolean => /^image\/(jpeg|png|gif|webp)$/.test(type);

/** A chosen file that cannot be sent. */
export interface RefusedFile {
  id: string;
  name: string;
  /** The reason, and what to do instead. */
  sentence: string;
}

/** Separates the files that can be sent from the rest. */
export function choose(
  beside: number,
  files: readonly File[],
  { most, largestBytes }: PhotographLimits,
): { chosen: Chosen[]; refused: RefusedFile[] } {
  const chosen: Chosen[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const reason = reasonAgainst(file, largestBytes, beside + chosen.length < most ? Infinity : most);
    if (reason !== undefined) refused.push({ id: uniqueId(), name: file.name, sentence: reason });
    else chosen.push({ photograph: photographOf(file), file });
  }
  return { chosen, refused };
}

function reasonAgainst(file: File, largestBytes: number, most: number): string | undefined {
  if (!isPicture(file)) return texts.onlyPictures;
  if (file.size === 0) return texts.emptyPicture;
  if (file.size > largestBytes) return texts.tooLarge(sizeInWords(largestBytes));
  return most === Infinity ? undefined : texts.tooMany(most);
}

const photographOf = ({ name, size }: File): Photograph => ({
  id: uniqueId(),
  name,
  bytes: size,
  journey: { at: 'keeping' },
  onDevice: false,
});

/** `a.jpg, b.jpg, c.jpg and 4 more`. */
export function namesInWords(names: readonly string[]): string {
  const named = names.slice(0, names.length > MOST_NAMED + 1 ? MOST_NAMED : MOST_NAMED + 1);
  return texts.list(named, names.length - named.length);
}

/** Returns `HEIC` for `IMG_0001.heic`, shown when the browser cannot draw the picture. */
export function kindOf(name: string): string {
  const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? '';
  return kind.toUpperCase();
}
