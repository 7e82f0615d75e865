import { uniqueId } from './unique-id.js';

/** One picture that waits to be sent. `thumbnail` is missing where the browser cannot read the kind (HEIC outside Safari). */
export interface Photograph {
  id: string;
  file: File;
  thumbnail?: string;
}

export const MOST_PHOTOGRAPHS = 50;
const LARGEST_BYTES = 25 * 1024 * 1024;
const MOST_BYTES = 500 * 1024 * 1024;
const THUMBNAIL_PIXELS = 192;

const endings = ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.heic', '.heif', '.gif', '.tif', '.tiff'];

const isPicture = (file: File): boolean =>
  file.type.startsWith('image/') || endings.some((ending) => file.name.toLowerCase().endsWith(ending));

/** Adds files to those that wait; says in a sentence what was left out and why. */
export function addPhotographs(
  waiting: readonly Photograph[],
  files: readonly File[],
): { photographs: Photograph[]; complaint?: string } {
  const photographs = [...waiting];
  let bytes = waiting.reduce((sum, { file }) => sum + file.size, 0);
  const reasons = new Set<string>();
  for (const file of files) {
    if (!isPicture(file)) reasons.add('only pictures can be sent');
    else if (file.size === 0) reasons.add('a picture was empty');
    else if (file.size > LARGEST_BYTES) reasons.add('a photograph may have at most 25 MB');
    else if (photographs.length >= MOST_PHOTOGRAPHS) reasons.add('one message takes at most 50 photographs');
    else if (bytes + file.size > MOST_BYTES) reasons.add('one message takes at most 500 MB');
    else {
      bytes += file.size;
      photographs.push({ id: uniqueId(), file });
    }
  }
  const left = files.length - (photographs.length - waiting.length);
  if (left === 0) return { photographs };
  const complaint = `${left} ${left === 1 ? 'file was' : 'files were'} left out: ${[...reasons].join('; ')}.`;
  return { photographs, complaint };
}

/** A small copy to show, so that fifty photographs of a telephone do not fill its memory. */
export async function thumbnailOf(file: File): Promise<string | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = THUMBNAIL_PIXELS / Math.min(bitmap.width, bitmap.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
    return blob ? URL.createObjectURL(blob) : undefined;
  } catch {
    return undefined;
  }
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  const megabytes = bytes / 1024 / 1024;
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`;
}

export const photographsInWords = (count: number): string =>
  count === 1 ? '1 photograph' : `${count} photographs`;
