import { memo, useRef } from 'react';
import type { Photograph } from '../api/types/inspections.js';
import { CheckIcon, ImageIcon } from '../parts/icons.js';
import { usePicture } from './pictures.js';
import { ukStamp } from './uk-stamp.js';
import { useNear } from './use-near.js';

/** A photograph small. Its picture is there while it is near the screen only. */
export const PhotographTile = memo(function PhotographTile({
  photograph,
  onOpen,
}: {
  photograph: Photograph;
  onOpen: (id: string) => void;
}) {
  const { id, capturedAt, caption, pending } = photograph;
  const place = useRef<HTMLLIElement>(null);
  const { url, failed } = usePicture(id, useNear(place));
  const stamp = ukStamp(capturedAt);
  return (
    <li ref={place} className="tile">
      <button type="button" onClick={() => onOpen(id)}>
        <span className="tile-frame">
          {url !== undefined && <img src={url} alt="" decoding="async" draggable={false} />}
          {failed && (
            <span className="tile-failed">
              <ImageIcon /> Not loaded
            </span>
          )}
        </span>
        <span className="tile-foot">
          <span className="tile-stamp">
            <span className="hidden">Open the photograph of </span>
            {stamp}
          </span>
          {!pending && (
            <span className="tile-reported" title="In a report">
              <CheckIcon />
              <span className="hidden">in a report</span>
            </span>
          )}
        </span>
        {caption !== null && <span className="tile-caption">{caption}</span>}
      </button>
    </li>
  );
});
