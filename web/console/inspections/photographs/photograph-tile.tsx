import { memo, type MouseEvent, useRef } from 'react';
import type { Photograph } from '../../../../src/api/inspections.js';
import { CheckIcon, ImageIcon, PencilIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import { isClaimed, isWithdrawn } from './area-groups.js';
import { usePicture } from './pictures.js';
import { ukStamp } from './uk-stamp.js';
import { useNear } from './use-near.js';

interface TileProps {
  photograph: Photograph;
  selected: boolean;
  /** Being dragged or corrected. */
  away: boolean;
  onOpen: (id: string) => void;
  /** `range`: everything since the last selected one. */
  onSelect: (id: string, range: boolean) => void;
}

/** A thumbnail, whose picture is loaded only near the screen. */
export const PhotographTile = memo(function PhotographTile(props: TileProps) {
  const { photograph, selected, away, onOpen, onSelect } = props;
  const { id, capturedAt, caption } = photograph;
  const claimed = isClaimed(photograph);
  const withdrawn = isWithdrawn(photograph);
  const place = useRef<HTMLLIElement>(null);
  const { url, failed } = usePicture(photograph, useNear(place));
  const stamp = ukStamp(capturedAt);
  const onClick = (event: MouseEvent) => {
    const chooses = event.shiftKey || event.ctrlKey || event.metaKey;
    if (chooses && !claimed) onSelect(id, event.shiftKey);
    else onOpen(id);
  };
  return (
    <li
      ref={place}
      className={`tile${withdrawn ? ' tile-withdrawn' : ''}${away ? ' tile-away' : ''}`}
      data-id={id}
      data-selected={selected || undefined}
    >
      <button type="button" onClick={onClick}>
        <span className="tile-frame">
          {url !== undefined && <img src={url} alt="" decoding="async" draggable={false} />}
          {failed && (
            <span className="tile-failed">
              <ImageIcon /> Not loaded
            </span>
          )}
          {withdrawn && <span className="tile-word">Withdrawn</span>}
        </span>
        <span className="tile-foot">
          <span className="tile-stamp">
            <span className="hidden">Open the photograph of </span>
            {stamp}
          </span>
          <Marks photograph={photograph} />
        </span>
        {caption !== null && <span className="tile-caption">{caption}</span>}
      </button>
      {!claimed && (
        <label className="tile-check">
          <input
            type="checkbox"
            checked={selected}
            onChange={({ nativeEvent }) =>
              onSelect(id, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
            }
            aria-label={`Select the photograph of ${stamp}`}
          />
          <span className="tile-check-box">
            <CheckIcon />
          </span>
        </label>
      )}
    </li>
  );
});

function Marks({ photograph }: { photograph: Photograph }) {
  const corrections = counted(photograph.corrected, 'correction');
  return (
    <span className="tile-marks">
      {photograph.corrected > 0 && (
        <span className="tile-corrected" title={corrections}>
          <PencilIcon />
          <span className="hidden">{corrections}</span>
        </span>
      )}
      {isClaimed(photograph) && (
        <span className="tile-reported" title="In a report">
          <CheckIcon />
          <span className="hidden">in a report</span>
        </span>
      )}
    </span>
  );
}
