import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { useKeys } from '../keys/use-keys.js';
import { leaveListFor, pathOf } from './list-place.js';

/**
 * One row of the list takes the focus, and keys move it: j and k or the arrows, also from outside the list; Enter opens
 * it, Escape leaves. `entryId` is the row at which Tab comes in.
 */
export function useListFocus(
  rows: readonly ExecutionRecord[],
  list: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
  begunAt: string | undefined,
) {
  const navigate = useNavigate();
  const [activeId, setActiveId] = useState(begunAt);
  /** The row that is to have the focus as soon as it is in the page. */
  const wanted = useRef(begunAt);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    // After the page has put the focus on its heading.
    setTimeout(() => row.focus({ preventScroll: true }));
  });

  const hasFocus = () => list.current?.contains(document.activeElement) ?? false;
  /** Nothing else has the focus. A row that is on its way into the page gets it in a moment. */
  const mayMove = () => hasFocus() || document.activeElement === document.body;
  const go = (event: KeyboardEvent, to: (index: number) => number) => {
    if (rows.length === 0) return;
    event.preventDefault();
    const at = rows.findIndex(({ id }) => id === activeId);
    const index = Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : to(at)));
    wanted.current = rows[index]!.id;
    setActiveId(wanted.current);
    scrollTo(index);
  };
  const within = (to: (index: number) => number) => (event: KeyboardEvent) => {
    if (mayMove()) go(event, to);
  };
  useKeys({
    j: (event) => go(event, (index) => index + 1),
    k: (event) => go(event, (index) => index - 1),
    ArrowDown: within((index) => index + 1),
    ArrowUp: within((index) => index - 1),
    Home: within(() => 0),
    End: within(() => rows.length - 1),
    Enter: (event) => {
      if (!mayMove() || activeId === undefined) return;
      event.preventDefault();
      leaveListFor(pathOf(activeId));
      void navigate({ to: '/console/executions/$id', params: { id: activeId } });
    },
    Escape: () => {
      if (hasFocus()) (document.activeElement as HTMLElement).blur();
      setActiveId(undefined);
    },
  });
  return { activeId, onFocus: setActiveId, hasFocus };
}
