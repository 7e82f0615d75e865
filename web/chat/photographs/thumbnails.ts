import type { Kept } from '../../common/kept.js';

const PIXELS = 192;
/** Together a few hundred kilobytes of what a browser keeps for a site. */
const MOST_KEPT = 60;

/**
 * Small copies of photographs to show, so that fifty of a telephone do not fill its memory. They are made one after
 * another, and the newest outlive the page.
 */
export class Thumbnails {
  private readonly urls = new Map<string, string>();
  private readonly texts: Map<string, string>;
  private readonly listeners = new Set<() => void>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly kept: Kept) {
    this.texts = new Map(Object.entries(kept.get<Record<string, string>>('thumbnails') ?? {}));
    for (const [id, text] of this.texts) this.urls.set(id, URL.createObjectURL(pictureIn(text)));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Nothing where the browser cannot read the kind (HEIC outside Apple's), or not yet. */
  url(id: string): string | undefined {
    return this.urls.get(id);
  }

  /** Whether the browser could read it. `turn`: the degrees clockwise by which this picture of it was turned. */
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

  forgetAll(): void {
    this.forget([...this.urls.keys()]);
  }

  private async makeNow(id: string, file: Blob, turn: number): Promise<void> {
    const text = await drawSmall(file, turn);
    this.urls.set(id, URL.createObjectURL(pictureIn(text)));
    this.texts.set(id, text);
    this.keep();
    for (const listener of this.listeners) listener();
  }

  private keep(): void {
    const newest = [...this.texts].slice(-MOST_KEPT);
    this.kept.set('thumbnails', newest.length > 0 ? Object.fromEntries(newest) : undefined);
  }
}

/** As the base64 of a JPEG, turned back. */
async function drawSmall(file: Blob, turn: number): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, PIXELS / Math.min(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  // A panorama is cut to twice its height: it is shown as a square.
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
