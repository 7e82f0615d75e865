import { Link, type LinkProps } from '@tanstack/react-router';
import './tabs.css';

/** Tabs that are separate pages with their own URLs. */
export function TabLinks({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { to: NonNullable<LinkProps['to']>; name: string }[];
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, name }) => (
        <Link key={to} to={to} className="tab">
          {name}
        </Link>
      ))}
    </nav>
  );
}
