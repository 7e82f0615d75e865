import { useEffect, useState } from 'react';
import { file, segment } from '../../api/client.js';
import { PictureLoader } from './picture-loader.js';

/** A few screens of pictures. */
const MOST_CACHED = 160;

const prints = new PictureLoader(
  (id, signal) => file(`inspection/photographs/${segment(id)}/print`, { signal }),
  MOST_CACHED,
);

export interface Picture {
  url: string | undefined;
  failed: boolean;
}

/** Loads the rotated print of a photograph while `wanted`, and frees its memory afterwards. */
export function usePicture({ id, turn }: { id: string; turn: number }, wanted: boolean): Picture {
  const [picture, setPicture] = useState<Picture>({ url: undefined, failed: false });
  useEffect(() => {
    if (!wanted) return;
    const end = new AbortController();
    let url: string | undefined;
    prints.get(id, String(turn), end.signal).then(
      (blob) => {
        if (end.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setPicture({ url, failed: false });
      },
      () => end.signal.aborted || setPicture({ url: undefined, failed: true }),
    );
    return () => {
      end.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
      setPicture({ url: undefined, failed: false });
    };
  }, [id, turn, wanted]);
  return picture;
}
