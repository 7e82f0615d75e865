import type { ReactNode } from 'react';
import './section.css';

/** One tab: a short introduction, its actions and the list. */
export function Section({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="access-section" aria-label={title}>
      <h2 className="hidden">{title}</h2>
      <div className="access-lead">
        <p>{lead}</p>
        {actions}
      </div>
      {children}
    </section>
  );
}
