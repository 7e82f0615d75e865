import type { BrowserStorage } from '../../common/browser-storage.js';

const PIXELS = 192;
/** Up to a fifth of the browser's quota for the site, which has five million characters. */
const MOST_STORED = 60;
/** The name that the thumbnails of a chat are stored under. */
export const THUMBNAILS = 'thumbnails';

/**
 * Thumbnails, so that fifty photographs do not fill a phone's memory. They are made one at a time; the newest are stored
 * across reloads.
 */
export class Thumbnails {
  private readonly urls = new Map<string, string>();
  private readonly texts: Map<string, string>;
  private readonly listeners = new Set<() => void>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly storage: BrowserStorage) {
    this.texts = new Map(Object.entries(storage.get<Record<string, string>>(THUMBNAILS) ?? {}));
    for (const [id, text] of this.texts) this.urls.set(id, URL.createObjectURL(pictureIn(text)));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Undefined when the thumbnail is not made yet or the browser cannot decode the format (HEIC outside Safari). */
  url(id: string): string | undefined {
    return this.urls.get(id);
  }

  /** Makes a thumbnail. Returns whether the browser could decode `file`, which is rotated clockwise by `turn` degrees. */
  make(id: string, file: Blob, turn = 0): Promise<boolean> {
    const made = this.queue
      .then(() => this.makeNow(id, file, turn))
      .then(
        () => true,
        () => false,
      );
    this.queue = made;
    return made;
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      const url = this.urls.get(id);
      if (url !== undefined) URL.revokeObjectURL(url);
      this.urls.delete(id);
      this.texts.delete(id);
    }
    this.keep();
  }

  private async makeNow(id: string, file: Blob, turn: number): Promise<void> {
    const text = await drawSmall(file, turn);
    this.urls.set(id, URL.createObjectURL(pictureIn(text)));
    this.texts.set(id, text);
    this.keep();
    for (const listener of this.listeners) listener();
  }

  private keep(): void {
    const newest = [...this.texts].slice(-MOST_STORED);
    this.storage.set(THUMBNAILS, newest.length > 0 ? Object.fromEntries(newest) : undefined);
  }
}

/** Draws the thumbnail as a JPEG in base64, with the rotation undone. */
async function drawSmall(file: Blob, turn: number): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, PIXELS / Math.min(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  // A panorama is cropped to twice its height, since it is shown as a square.
  const side = (length: number) => Math.max(1, Math.min(PIXELS * 2, Math.round(length * scale)));
  const [wide, high] = [side(bitmap.width), side(bitmap.height)];
  [canvas.width, canvas.height] = turn % 180 === 0 ? [wide, high] : [high, wide];
  const [width, height] = [wide / scale, high / scale];
  const [left, top] = [(bitmap.width - width) / 2, (bitmap.height - height) / 2];
  const paper = canvas.getContext('2d')!;
  paper.translate(canvas.width / 2, canvas.height / 2);
  paper.rotate((-turn * Math.PI) / 180);
  paper.drawImage(bitmap, left, top, width, height, -wide / 2, -high / 2, wide, high);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.72).split(',')[1] ?? '';
}

const pictureIn = (text: string): Blob =>
  new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], { type: 'image/jpeg' });
