import { createContext } from 'react';
import type { PhotographStore } from '../keeping/kept-photographs.js';
import type { Thumbnails } from './thumbnails.js';

/** A photograph to look at. */
export interface LargePicture {
  /** It was looked for; without an address there is none that the browser can show. */
  ready: boolean;
  url?: string;
  /** No more than the small copy. */
  small?: boolean;
  /** Degrees clockwise by which it is yet to be turned. */
  turn?: number;
  release?: () => void;
}

/** Finds a photograph by its id. */
export interface LargePictures {
  /** The small copy, which is there at once. */
  small(id: string): LargePicture;
  /** As large as it is to be had. */
  large(id: string): Promise<LargePicture>;
}

export const LargePicturesContext = createContext<LargePictures | undefined>(undefined);

interface LargeParts {
  store: Pick<PhotographStore, 'file'>;
  fileOf: (id: string) => File | undefined;
  thumbnails: Pick<Thumbnails, 'url'>;
  /** The degrees clockwise by which it was turned since it was sent. */
  turnOf: (id: string) => number;
  /** From the service, turned. */
  print: (id: string) => Promise<Blob | undefined>;
}

/** From the device as long as it has the photograph; after that from the service, else the small copy. */
export function largePicturesOf({ store, fileOf, thumbnails, turnOf, print }: LargeParts): LargePictures {
  const small = (id: string): LargePicture => {
    const url = thumbnails.url(id);
    return url === undefined ? { ready: false } : { ready: false, url, small: true, turn: turnOf(id) };
  };
  const large = async (id: string): Promise<LargePicture> => {
    const file = (await store.file(id).catch(() => undefined)) ?? fileOf(id);
    const url = file && (await shownFrom(file));
    if (url !== undefined)
      return { ready: true, url, turn: turnOf(id), release: () => URL.revokeObjectURL(url) };
    const printed = await print(id);
    const printUrl = printed && (await shownFrom(printed));
    if (printUrl === undefined) return { ...small(id), ready: true };
    return { ready: true, url: printUrl, release: () => URL.revokeObjectURL(printUrl) };
  };
  return { small, large };
}

/** Its address, where the browser can show it. */
async function shownFrom(file: Blob): Promise<string | undefined> {
  const url = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
    return url;
  } catch {
    URL.revokeObjectURL(url);
    return undefined;
  }
}
