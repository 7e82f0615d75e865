import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PIXELS = 80;

/** Scrolls a growing list to its end unless the person has scrolled away. */
export function useStickToEnd(changed: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const top = useRef(0);
  const [away, setAway] = useState(false);

  const toEnd = useCallback((behavior: ScrollBehavior = 'auto') => {
    sticks.current = true;
    setAway(false);
    list.current?.scrollTo({ top: list.current.scrollHeight, behavior });
  }, []);

  const onScroll = useCallback(() => {
    // The browser reports a scroll a frame later: another chat may be shown by then.
    if (!list.current) return;
    const { scrollHeight, scrollTop, clientHeight } = list.current;
    const near = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
    // A list that grows after it was scrolled is also far from its end: only a person scrolls up.
    sticks.current = near || (sticks.current && scrollTop >= top.current);
    top.current = scrollTop;
    setAway(!sticks.current);
  }, []);

  useLayoutEffect(() => {
    if (sticks.current) list.current!.scrollTop = list.current!.scrollHeight;
  }, [changed]);

  // Pictures, cards and the keyboard change the height without a new message.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (sticks.current && list.current) list.current.scrollTop = list.current.scrollHeight;
    });
    if (list.current) observer.observe(list.current);
    if (list.current?.firstElementChild) observer.observe(list.current.firstElementChild);
    return () => observer.disconnect();
  }, []);

  return { list, away, toEnd, onScroll };
}
