import { sizeInWords } from '../../common/size-in-words.js';
import { uniqueId } from '../../common/unique-id.js';
import { texts } from '../texts.js';

/** Where a photograph is on its way to the service. */
export type Journey =
  /** To this device, before anything else. */
  | { at: 'keeping' }
  | { at: 'waiting' }
  /** `share`: how much of it has been sent, 0 to 1. */
  | { at: 'sending'; share: number }
  /** The service has it, under this name. */
  | { at: 'there'; issued: string }
  /** `again`: a second try may succeed. `lost`: by itself, too. `asksKey`: once the key is there. */
  | { at: 'failed'; sentence: string; again: boolean; lost?: boolean; asksKey?: boolean };

/** One picture beside the message that is being written. */
export interface Photograph {
  /** Also its `messageId`: the service records one id once. */
  id: string;
  name: string;
  bytes: number;
  journey: Journey;
  /** The device has it: it outlives the page. */
  kept: boolean;
  /** The browser knows pictures of its kind, and cannot read this one. */
  damaged?: boolean;
}

/** The limits that a flow sets on photographs. */
export interface PhotographLimits {
  most: number;
  largestBytes: number;
}

/** A file that was taken, and its place beside the message. */
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

/** Kinds that every browser shows: one that it cannot read is damaged. */
export const isShowable = ({ type }: Blob): boolean => /^image\/(jpeg|png|gif|webp)$/.test(type);

/** Of the files chosen beside so many others, those that can be sent; says by name what was left out and why. */
export function choose(
  beside: number,
  files: readonly File[],
  { most, largestBytes }: PhotographLimits,
): { chosen: Chosen[]; complaint: string } {
  const chosen: Chosen[] = [];
  const leftOut = new Map<string, string[]>();
  for (const file of files) {
    const reason = reasonAgainst(file, largestBytes, beside + chosen.length < most ? Infinity : most);
    if (reason !== undefined) leftOut.set(reason, [...(leftOut.get(reason) ?? []), file.name]);
    else chosen.push({ photograph: photographOf(file), file });
  }
  const complaint = [...leftOut]
    .map(([reason, names]) => texts.leftOut(namesInWords(names), reason))
    .join(' ');
  return { chosen, complaint };
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
  kept: false,
});

/** `a.jpg, b.jpg, c.jpg and 4 more`. */
export function namesInWords(names: readonly string[]): string {
  const named = names.slice(0, names.length > MOST_NAMED + 1 ? MOST_NAMED : MOST_NAMED + 1);
  return texts.list(named, names.length - named.length);
}

/** `HEIC` of `IMG_0001.heic`: what stands where a browser cannot show the picture. */
export function kindOf(name: string): string {
  const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? '';
  return kind.toUpperCase();
}
