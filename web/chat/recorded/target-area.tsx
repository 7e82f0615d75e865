import { use, useEffect, useState, useSyncExternalStore } from 'react';
import { ChevronIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import { loadRecordedSheets } from './late-sheets.js';
import { RecordedContext } from './recorded-context.js';

/** The area of the next message. */
export interface NextTarget {
  /** Undefined while there is none. */
  area: string | undefined;
  choose: (area: string) => void;
  /** Returns the area that the message has to name: a chosen one or, for photographs, one that may not be the current one. */
  named: (photographs: number, chosen?: string) => string | undefined;
  /** Called when a message that names this area was sent. */
  sent: (named: string | undefined) => void;
}

/**
 * The chosen area, else the current one, else the one that the last remark closed. `hasUnanswered`: a message may change
 * the current one before the next message goes.
 */
export function useNextTarget(hasUnanswered: () => boolean): NextTarget {
  const { recorded } = use(RecordedContext)!;
  const { current, last, isGuess } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const [chosen, choose] = useState<string>();
  const isOpen = () => current !== undefined && !isGuess && !hasUnanswered();
  return {
    area: chosen ?? current ?? last,
    choose,
    named: (photographs, other = chosen) =>
      other ?? (photographs > 0 && !isOpen() ? (current ?? last) : undefined),
    sent(named) {
      if (named !== undefined) recorded.goTo(named);
      choose(undefined);
    },
  };
}

/** Shows the area of the next message. A tap chooses another. */
export function TargetButton({ area, onOpen }: { area: string | undefined; onOpen: () => void }) {
  // Load the sheet while there is a connection, so that it also opens offline.
  useEffect(() => void loadRecordedSheets(), []);
  return (
    <button type="button" className="target" aria-haspopup="dialog" onClick={onOpen}>
      <span>
        {texts.target} <strong>{area ?? texts.noTarget}</strong>
      </span>
      <ChevronIcon />
    </button>
  );
}
