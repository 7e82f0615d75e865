import { useMemo, useRef, useState } from 'react';
import type { Change } from '../../../../src/api/corrections.js';
import type { Photograph, Session } from '../../../../src/api/inspections.js';
import { correctPhotographs, correctRemark, renameArea } from '../corrections/steps.js';
import { useCorrections } from '../corrections/use-corrections.js';
import type { Place } from '../place.js';
import type { SelectionActions } from '../selecting/selection-bar.js';
import { isClaimed, isWithdrawn } from './area-groups.js';
import { sameArea } from './service-areas.js';

/** The action whose dialog is open. */
export type OpenAction =
  | { what: 'move' | 'withdraw' | 'caption'; ids: readonly string[] }
  | { what: 'rename'; area: string }
  | { what: 'remark'; id: string };

export interface PhotographActions extends SelectionActions {
  /** Moves photographs to an area; an empty area opens a dialog to type one. */
  drop: (ids: readonly string[], area: string) => void;
  correct: (ids: readonly string[], change: Change, reason: string) => void;
  rename: (from: string, to: string, reason: string) => void;
  reword: (id: string, change: Change, reason: string) => void;
}

interface Around {
  place: Pick<Place, 'flowId' | 'sessionId'>;
  session: Session;
  all: readonly Photograph[];
  selection: { ids: ReadonlySet<string>; clear: () => void };
}

/** Returns the actions of the photographs page, stable across renders. */
export function usePhotographActions(around: Around) {
  const [run, busy] = useCorrections(around.place);
  const [action, openAction] = useState<OpenAction>();
  const current = useRef(around);
  current.current = around;
  const act = useMemo((): PhotographActions => {
    const chosen = () => [...current.current.selection.ids];
    const among = (ids: readonly string[]) => {
      const wanted = new Set(ids);
      return current.current.all.filter((one) => wanted.has(one.id) && !isClaimed(one));
    };
    const correct = (ids: readonly string[], change: Change, reason = '') => {
      // Send only records that differ from the wanted state.
      const differing = among(ids).filter(
        (one) =>
          (change.area === undefined || change.area !== one.area) &&
          (change.withdrawn === undefined || change.withdrawn !== isWithdrawn(one)),
      );
      void run.start(correctPhotographs(differing, change, reason));
      if (change.turn === undefined) current.current.selection.clear();
    };
    return {
      correct,
      drop: (ids, area) => (area === '' ? openAction({ what: 'move', ids }) : correct(ids, { area })),
      move: (area) => correct(chosen(), { area }),
      moveElsewhere: () => openAction({ what: 'move', ids: chosen() }),
      turn: (turn) => correct(chosen(), { turn }),
      caption: () => openAction({ what: 'caption', ids: chosen() }),
      withdraw: () => openAction({ what: 'withdraw', ids: chosen() }),
      bringBack: () => correct(chosen(), { withdrawn: false }),
      clear: () => current.current.selection.clear(),
      rename: (from, to, reason) => {
        const { place, session } = current.current;
        const isOf = (one: { area: string }) => one.area === from;
        const photographs = session.photographs.filter((one) => isOf(one) && !isClaimed(one));
        const remarks = session.remarks.filter((one) => isOf(one) && !isClaimed(one));
        const facts = session.facts.filter((one) => isOf(one) && !isClaimed(one));
        const merges = session.areas.some(({ area }) => area !== from && sameArea(area, to));
        void run.start(renameArea(place, { from, to, merges }, { photographs, remarks, facts }, reason));
      },
      reword: (id, change, reason) => {
        const remark = current.current.session.remarks.find((one) => one.id === id);
        if (remark) void run.start(correctRemark(remark, change, reason));
      },
    };
  }, [run]);
  return { run, busy, action, openAction, act };
}
