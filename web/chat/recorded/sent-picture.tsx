import { type RefObject, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MoreIcon } from '../../common/icons.js';
import { Picture } from '../photographs/picture.js';
import { ThumbnailsContext } from '../photographs/thumbnail.js';
import { texts } from '../texts.js';
import { Correction, loadRecordedSheets } from './late-sheets.js';
import { RecordedContext } from './recorded-context.js';
import type { CorrectionProps, Recorded } from './recorded.js';
import { useLongPress } from './use-long-press.js';

type SentPictureProps = Omit<CorrectionProps, 'onClose'>;

/** A photograph in the conversation. A tap enlarges it. Once it is recorded, a long press or its button corrects it. */
export function SentPicture(props: SentPictureProps) {
  const { recorded } = use(RecordedContext)!;
  const photograph = useSyncExternalStore(recorded.subscribe, () => recorded.of(props.id));
  return photograph ? <RecordedPicture {...props} photograph={photograph} /> : <Picture {...props} />;
}

function RecordedPicture({ photograph, ...props }: SentPictureProps & { photograph: Recorded }) {
  const { withdrawn, area, turn } = photograph;
  const tile = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // Load the sheet while there is a connection, so that it also opens offline.
  useEffect(() => void loadRecordedSheets(), []);
  usePrint(tile, props.id, photograph);
  const correct = () => {
    // The sheet returns the focus here.
    button.current?.focus();
    setOpen(true);
  };
  const press = useLongPress(correct);
  return (
    <>
      <div ref={tile} className={`sent-photograph ${withdrawn ? 'withdrawn' : ''}`} {...press}>
        <Picture {...props} turn={turn} />
        <span className="place">{withdrawn ? texts.withdrawn : area}</span>
        <button
          ref={button}
          type="button"
          className="correct"
          aria-label={texts.correct(props.label)}
          aria-haspopup="dialog"
          onClick={correct}
        >
          <MoreIcon />
        </button>
      </div>
      {open && <Correction {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Fetches the print of a photograph without a thumbnail when it comes into view. */
function usePrint(tile: RefObject<HTMLElement | null>, id: string, photograph: Recorded): void {
  const { prints } = use(RecordedContext)!;
  const thumbnails = use(ThumbnailsContext)!;
  const drawn = useSyncExternalStore(thumbnails.subscribe, () => thumbnails.url(id) !== undefined);
  useEffect(() => {
    if (drawn || !tile.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) prints.draw(id);
    });
    observer.observe(tile.current);
    return () => observer.disconnect();
    // A failed fetch is retried when the service next reports the photograph.
  }, [drawn, id, photograph, prints, tile]);
}
