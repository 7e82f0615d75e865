import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import './page.css';

interface PageProps {
  /** The heading and the document's title. */
  title: string;
  /** A heading that shows more than the title. */
  heading?: ReactNode;
  /** A link above the heading to the parent page. */
  back?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** Fills the height without scrolling, for lists and graphs that scroll inside. */
  fill?: boolean;
  children?: ReactNode;
}

/** The page that was loaded first, where the browser sets the focus. */
let shownFirst: string | undefined;

/** The frame of every page. After a navigation the focus is on the heading. */
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
