import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';

const DESK_HEIGHT = 54;
const PHONE_HEIGHT = 112;
/** The height of the sticky head, in pixels. */
const HEAD = 44;

const narrow = matchMedia('(width <= 760px)');
const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

/** Returns the scrolling element, which is the whole page. */
export const frame = (): HTMLElement | null => document.getElementById('content');

/** Virtualises the list: only the rows in view are rendered. */
export function useRows(rows: readonly ExecutionRecord[], scrollTop: number | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const height = useNarrow() ? PHONE_HEIGHT : DESK_HEIGHT;
  const [margin, setMargin] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: frame,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]!.id,
    overscan: 10,
    scrollMargin: margin,
    scrollPaddingStart: HEAD,
    initialOffset: scrollTop ?? 0,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  // The chart and the filters above the list may change their height.
  useLayoutEffect(() => {
    const outer = frame();
    const measure = () => {
      if (!outer || !list.current) return;
      const { top } = list.current.getBoundingClientRect();
      setMargin(Math.round(top - outer.getBoundingClientRect().top + outer.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of outer?.querySelectorAll('.above-list') ?? []) observer.observe(child);
    return () => observer.disconnect();
  }, [rows.length === 0]);
  useLayoutEffect(() => {
    if (scrollTop !== undefined && scrollTop > 0) frame()?.scrollTo({ top: scrollTop });
  }, [scrollTop]);
  return { list, virtual, height };
}
