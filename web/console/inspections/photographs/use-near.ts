import { type RefObject, useEffect, useState } from 'react';

const marks = new WeakMap<Element, (near: boolean) => void>();
let observer: IntersectionObserver | undefined;
let root: Element | null | undefined;

/** Returns the shared observer of the scrolling element. */
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

/** Returns whether an element is on the screen or close to it. */
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
