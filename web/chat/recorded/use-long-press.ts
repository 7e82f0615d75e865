import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react';

const LONG_MS = 500;
/** A finger that moves further scrolls. */
const MOST_MOVED = 10;

/** Not on a dialog that is drawn over the page for the element: React tells it of those, too. */
const isOnIt = ({ target, currentTarget }: MouseEvent): boolean => currentTarget.contains(target as Node);

/**
 * Handlers for an element that is pressed long, or asked for its context menu (right button, menu key, long press of the
 * system). The release after it is no tap.
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: number; x: number; y: number }>(undefined);
  const wasLong = useRef(false);
  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => end, []);
  const begin = () => {
    end();
    onLongPress();
  };
  return {
    onPointerDown(event: PointerEvent) {
      end();
      wasLong.current = false;
      const { isPrimary, button, clientX, clientY } = event;
      if (!isPrimary || button !== 0 || !isOnIt(event)) return;
      const long = () => {
        wasLong.current = true;
        begin();
      };
      press.current = { timer: window.setTimeout(long, LONG_MS), x: clientX, y: clientY };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const at = press.current;
      if (at && Math.hypot(clientX - at.x, clientY - at.y) > MOST_MOVED) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent) {
      if (!isOnIt(event)) return;
      event.preventDefault();
      // By a finger it is the same press, whichever of the two notices first.
      if (press.current) wasLong.current = true;
      else if (wasLong.current) return;
      begin();
    },
    onTouchEnd(event: TouchEvent) {
      if (!wasLong.current) return;
      wasLong.current = false;
      // The browser would make a click of it, on whatever lies under the finger by now.
      event.preventDefault();
    },
    onClickCapture(event: MouseEvent) {
      // A key makes clicks, too: those are of another intent.
      if (!wasLong.current || event.detail === 0) return;
      wasLong.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
