import type { ReactNode } from 'react';
import './empty-state.css';

/** Instead of an empty list: what would stand here, and how to get it. */
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
