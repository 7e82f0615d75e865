import { createContext, use, useSyncExternalStore } from 'react';
import { FileIcon } from '../../common/icons.js';
import { kindOf } from './photograph.js';
import type { Thumbnails } from './thumbnails.js';

export const ThumbnailsContext = createContext<Thumbnails | undefined>(undefined);

/** A small copy of a photograph, or its kind where the browser cannot show it. */
export function Thumbnail({ id, name }: { id: string; name: string }) {
  const thumbnails = use(ThumbnailsContext)!;
  const url = useSyncExternalStore(thumbnails.subscribe, () => thumbnails.url(id));
  if (url !== undefined) return <img className="thumbnail" src={url} alt="" />;
  return (
    <span className="thumbnail">
      <FileIcon />
      <span>{kindOf(name)}</span>
    </span>
  );
}
