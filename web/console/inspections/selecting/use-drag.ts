import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Drag } from './drag.js';

const NOTHING: ReadonlySet<string> = new Set();

interface DragUse {
  /** Returns the ids that are dragged together with this one; empty if it cannot be dragged. */
  take: (id: string) => readonly string[];
  onDrop: (ids: readonly string[], area: string) => void;
  /** Called when a finger rests on this one without moving. */
  onHold: (id: string) => void;
}

/**
 * Drags elements with `data-id` onto elements with `data-area`: at once with a mouse, after a rest with a finger, so that
 * the page can scroll. React renders only at the start and the end of a drag.
 */
export function useDrag(use: DragUse) {
  const current = useRef(use);
  current.current = use;
  const [lifted, setLifted] = useState(NOTHING);
  const ghost = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  useEffect(() => () => drag.current?.cancel(), []);
  const onPointerDown = useCallback((event: ReactPointerEvent<HTMLElement>) => {
    if (!event.isPrimary || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target as Element;
    const id = target.closest<HTMLElement>('[data-id]')?.dataset['id'];
    if (id === undefined || target.closest('.tile-check')) return;
    const ids = current.current.take(id);
    if (ids.length === 0) return;
    drag.current?.cancel();
    drag.current = new Drag(event.nativeEvent, {
      ghost: () => ghost.current,
      onLift: () => setLifted(new Set(ids)),
      onEnd: () => setLifted(NOTHING),
      onDrop: (area) => current.current.onDrop(ids, area),
      onHold: () => current.current.onHold(id),
    });
  }, []);
  return { lifted, ghost, onPointerDown };
}
