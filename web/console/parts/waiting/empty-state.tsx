import type { ReactNode } from 'react';
import './empty-state.css';

/** Shown instead of an empty list: what belongs here and how to add it. */
export function EmptyState({
  title,
  icon,
  action,
  children,
}: {
  title: string;
  icon?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      {icon !== undefined && <span className="empty-icon">{icon}</span>}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}
