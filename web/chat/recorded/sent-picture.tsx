import { type RefObject, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { AlertIcon, MoreIcon } from '../../common/icons.js';
import { Picture } from '../photographs/picture.js';
import { ThumbnailsContext } from '../photographs/thumbnail.js';
import { texts } from '../texts.js';
import type { SentPhotograph } from '../turns/transcript.js';
import { Correction, loadRecordedSheets } from './late-sheets.js';
import { RecordedContext } from './recorded-context.js';
import type { CorrectionProps, Recorded } from './recorded.js';
import { useLongPress } from './use-long-press.js';

type SentPictureProps = Omit<CorrectionProps, 'onClose'>;

/** A photograph in the conversation. A tap enlarges it. Once it is recorded, a long press or its button corrects it. */
export function SentPicture(props: SentPictureProps) {
  const { recorded } = use(RecordedContext)!;
  const photograph = useSyncExternalStore(recorded.subscribe, () => recorded.of(props.id));
  const isRefused = useSyncExternalStore(recorded.subscribe, () => recorded.isRefused(props.id));
  if (photograph) return <RecordedPicture {...props} photograph={photograph} />;
  if (!isRefused) return <Picture {...props} />;
  return (
    <div className="sent-photograph refused">
      <Picture {...props} />
      <span className="place">{texts.notRecorded}</span>
    </div>
  );
}

/** Names the photographs of a message that the service did not record, with what to do. */
export function RefusedPhotographs({ photographs }: { photographs: readonly SentPhotograph[] }) {
  const { recorded } = use(RecordedContext)!;
  useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const names = photographs.filter(({ id }) => recorded.isRefused(id)).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p className="note past-trouble">
      <AlertIcon />
      {texts.refusedPhotographs(names.join(', '), names.length)}
    </p>
  );
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
