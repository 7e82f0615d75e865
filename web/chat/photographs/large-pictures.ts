import { createContext } from 'react';
import type { PhotographStore } from '../device/device-photographs.js';
import type { Thumbnails } from './thumbnails.js';

/** A photograph shown enlarged. */
export interface LargePicture {
  /** The search has ended. Without `url` there is no picture that the browser can show. */
  ready: boolean;
  url?: string;
  /** This is the thumbnail. */
  small?: boolean;
  /** Degrees clockwise by which to rotate it for display. */
  turn?: number;
  release?: () => void;
}

/** Finds a photograph by its id. */
export interface LargePictures {
  /** Returns the thumbnail, available at once. */
  small(id: string): LargePicture;
  /** Finds the largest copy available. */
  large(id: string): Promise<LargePicture>;
}

export const LargePicturesContext = createContext<LargePictures | undefined>(undefined);

interface LargeParts {
  store: Pick<PhotographStore, 'file'>;
  fileOf: (id: string) => File | undefined;
  thumbnails: Pick<Thumbnails, 'url'>;
  /** The rotation since it was sent, in degrees clockwise. */
  turnOf: (id: string) => number;
  /** Fetches the rotated print from the service. */
  print: (id: string) => Promise<Blob | undefined>;
}

/** Shows the file on the device while it exists, then the service's print, else the thumbnail. */
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

/** Returns an object URL, or undefined when the browser cannot show the picture. */
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
