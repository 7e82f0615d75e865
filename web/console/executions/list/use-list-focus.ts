import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { useKeys } from '../keys/use-keys.js';
import { leaveListFor, pathOf } from './list-place.js';

/**
 * Moves the focus between rows: j, k and the arrows work from anywhere on the page, Enter opens, Escape leaves. `entryId`
 * is the row that Tab enters.
 */
export function useListFocus(
  rows: readonly ExecutionRecord[],
  list: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
  begunAt: string | undefined,
) {
  const navigate = useNavigate();
  const [activeId, setActiveId] = useState(begunAt);
  /** The row to focus as soon as it is rendered. */
  const wanted = useRef(begunAt);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    // After the page has focused its heading.
    setTimeout(() => row.focus({ preventScroll: true }));
  });

  const hasFocus = () => list.current?.contains(document.activeElement) ?? false;
  /** Returns whether no other element has the focus. A row that is not rendered yet leaves it on the body. */
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
