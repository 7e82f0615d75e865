import { use, useState, useSyncExternalStore } from 'react';
import { texts } from '../texts.js';
import type { SentPhotograph } from '../turns/transcript.js';
import { Move } from './late-sheets.js';
import { RecordedContext } from './recorded-context.js';

/** The button under an answer that moves the photographs of its message, except those that are withdrawn or in a report. */
export function MoveBatch({ photographs }: { photographs: readonly SentPhotograph[] }) {
  const { recorded } = use(RecordedContext)!;
  const { photographs: known } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const [open, setOpen] = useState(false);
  const movable = photographs.flatMap(({ id }) => {
    const photograph = known.get(id);
    return photograph && !photograph.withdrawn && photograph.reportedAt === undefined
      ? [{ id, photograph }]
      : [];
  });
  if (movable.length === 0) return null;
  const areas = new Set(movable.map(({ photograph: { area } }) => area));
  return (
    <>
      <button
        type="button"
        className="quiet-button move-batch"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => {
          // The sheet returns the focus here.
          currentTarget.focus();
          setOpen(true);
        }}
      >
        {texts.moveThese(movable.length)}
      </button>
      {open && (
        <Move
          ids={movable.map(({ id }) => id)}
          area={areas.size === 1 ? [...areas][0]! : ''}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
