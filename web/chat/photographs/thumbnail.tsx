import { createContext, use, useSyncExternalStore } from 'react';
import { FileIcon } from '../../common/icons.js';
import { kindOf } from './photograph.js';
import type { Thumbnails } from './thumbnails.js';

/** Rotates a thumbnail for display: it is stored as the photograph was before any rotation. */
export const turned = (degrees: number) => (degrees === 0 ? undefined : { rotate: `${degrees}deg` });

export const ThumbnailsContext = createContext<Thumbnails | undefined>(undefined);

/** The thumbnail of a photograph, rotated clockwise by `turn`, or its format and name when there is none. */
export function Thumbnail({ id, name, turn = 0 }: { id: string; name: string; turn?: number }) {
  const thumbnails = use(ThumbnailsContext)!;
  const url = useSyncExternalStore(thumbnails.subscribe, () => thumbnails.url(id));
  if (url !== undefined) return <img className="thumbnail" src={url} alt="" style={turned(turn)} />;
  return (
    <span className="thumbnail" aria-hidden="true">
      <FileIcon />
      <span>{kindOf(name)}</span>
      <span className="file-name">{name}</span>
    </span>
  );
}
