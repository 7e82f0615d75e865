import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react';

const LONG_MS = 500;
/** A finger that moves further is scrolling. In pixels. */
const MOST_MOVED = 10;

/** Excludes events from a dialog rendered in a portal, which React also bubbles to the element. */
const isOnIt = ({ target, currentTarget }: MouseEvent): boolean => currentTarget.contains(target as Node);

/**
 * Handlers for a long press or a request for the context menu (right button, menu key, the system's own long press). The
 * release after it does not count as a tap.
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
      // On a touch screen the timer and this event report the same press, in either order.
      if (press.current) wasLong.current = true;
      else if (wasLong.current) return;
      begin();
    },
    onTouchEnd(event: TouchEvent) {
      if (!wasLong.current) return;
      wasLong.current = false;
      // Otherwise the browser would click whatever is under the finger now.
      event.preventDefault();
    },
    onClickCapture(event: MouseEvent) {
      // A click by keyboard (`detail` 0) is intended.
      if (!wasLong.current || event.detail === 0) return;
      wasLong.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
