import { type RefObject, useEffect, useState } from 'react';

const marks = new WeakMap<Element, (near: boolean) => void>();
let observer: IntersectionObserver | undefined;
let root: Element | null | undefined;

/** One observer for all, of the part of the page that scrolls. */
function watch(): IntersectionObserver {
  const scroller = document.getElementById('content');
  if (!observer || root !== scroller) {
    observer?.disconnect();
    root = scroller;
    observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) marks.get(target)?.(isIntersecting);
      },
      { root: scroller, rootMargin: '500px 0px' },
    );
  }
  return observer;
}

/** Whether an element is on the screen, or will be after a little scrolling. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    marks.set(current, setNear);
    const watching = watch();
    watching.observe(current);
    return () => watching.unobserve(current);
  }, [element]);
  return near;
}
