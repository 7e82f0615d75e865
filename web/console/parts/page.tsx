import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import './page.css';

interface PageProps {
  /** The heading, and the title of the document. */
  title: string;
  /** The heading, if it shows more than the title. */
  heading?: ReactNode;
  /** Above the heading: where this page belongs. */
  back?: ReactNode;
  /** Beside the heading: what can be done here. */
  actions?: ReactNode;
  /** Takes the whole height, without scrolling of its own: for lists and graphs that scroll within. */
  fill?: boolean;
  children?: ReactNode;
}

/** Where the console was loaded: there the browser's own order of focus holds. */
let shownFirst: string | undefined;

/** The frame of every page. Whoever gets here by a link finds the focus on the heading. */
export function Page({ title, heading, back, actions, fill = false, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  useEffect(() => {
    shownFirst ??= path;
    if (shownFirst === path) return;
    shownFirst = '';
    head.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className={fill ? 'page page-fill' : 'page'}>
      <div className="page-head">
        {back !== undefined && <div className="page-back">{back}</div>}
        <h1 ref={head} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
