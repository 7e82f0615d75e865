import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Drag } from './drag.js';

const NOTHING: ReadonlySet<string> = new Set();

interface DragUse {
  /** The ids that a drag of this one takes along; none where it may not be dragged. */
  take: (id: string) => readonly string[];
  onDrop: (ids: readonly string[], area: string) => void;
  /** A finger rested on this one and moved nowhere. */
  onHold: (id: string) => void;
}

/**
 * Drags what bears `data-id` onto what bears `data-area`: by mouse at once, by finger after resting on it, so that the page
 * can be scrolled. The page is rendered when a drag begins and when it ends, and never in between.
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
