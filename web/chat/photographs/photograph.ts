import { sizeInWords } from '../../common/size-in-words.js';
import { uniqueId } from '../../common/unique-id.js';

/** Where a photograph is on its way to the service. */
export type Journey =
  | { at: 'waiting' }
  /** `share`: how much of it has been sent, 0 to 1. */
  | { at: 'sending'; share: number }
  /** The service has it, under this name. */
  | { at: 'there'; issued: string }
  /** `again`: a second try may succeed. `asksKey`: once the key is there. */
  | { at: 'failed'; sentence: string; again: boolean; asksKey?: boolean };

/** One picture beside the message that is being written. */
export interface Photograph {
  id: string;
  name: string;
  bytes: number;
  journey: Journey;
  /** Its bytes; not there any more after the page was loaded anew. */
  file?: File;
}

/** What a flow takes. */
export interface PhotographLimits {
  most: number;
  largestBytes: number;
}

export const MOST_PHOTOGRAPHS = 50;
export const LARGEST_BYTES = 25 * 1024 * 1024;

const endings = ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.heic', '.heif', '.gif', '.tif', '.tiff'];

const isPicture = (file: File): boolean =>
  (file.type.startsWith('image/') && file.type !== 'image/svg+xml') ||
  endings.some((ending) => file.name.toLowerCase().endsWith(ending));

/** Adds files to those that are there; says in a sentence what was left out and why. */
export function addPhotographs(
  there: readonly Photograph[],
  files: readonly File[],
  { most, largestBytes }: PhotographLimits,
): { photographs: Photograph[]; complaint: string } {
  const photographs = [...there];
  const reasons = new Set<string>();
  for (const file of files) {
    if (!isPicture(file)) reasons.add('only pictures can be sent');
    else if (file.size === 0) reasons.add('a picture was empty');
    else if (file.size > largestBytes)
      reasons.add(`a photograph may have at most ${sizeInWords(largestBytes)}`);
    else if (photographs.length >= most) reasons.add(`one message takes at most ${most} photographs`);
    else
      photographs.push({
        id: uniqueId(),
        name: file.name,
        bytes: file.size,
        file,
        journey: { at: 'waiting' },
      });
  }
  const left = files.length - (photographs.length - there.length);
  if (left === 0) return { photographs, complaint: '' };
  const complaint = `${left} ${left === 1 ? 'file was' : 'files were'} left out: ${[...reasons].join('; ')}.`;
  return { photographs, complaint };
}

/** `HEIC` of `IMG_0001.heic`: what stands where a browser cannot show the picture. */
export function kindOf(name: string): string {
  const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? '';
  return kind.toUpperCase();
}

export const photographsInWords = (count: number): string =>
  count === 1 ? '1 photograph' : `${count} photographs`;
