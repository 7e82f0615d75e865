import { Link, Outlet } from '@tanstack/react-router';
import './app-shell.css';
import { DocumentsIcon, FlowIcon, InspectionIcon, KeyIcon, ListIcon } from './parts/icons.js';
import { Mark } from './parts/values/mark.js';
import './register-router.js';
import { SettingsMenu } from './settings-menu.js';

const areas = [
  { to: '/console/executions', name: 'Executions', Icon: ListIcon },
  { to: '/console/flows', name: 'Flows', Icon: FlowIcon },
  { to: '/console/inspections', name: 'Inspections', Icon: InspectionIcon },
  { to: '/console/documents', name: 'Documents', Icon: DocumentsIcon },
  { to: '/console/access', name: 'Access', Icon: KeyIcon },
] as const;

/** The frame around every page, with the navigation at the side or, on a phone, at the bottom. */
export function AppShell() {
  return (
    <div className="shell">
      <a className="skip" href="#content" onClick={skip}>
        Skip to content
      </a>
      <header className="shell-head">
        <Link to="/console" className="shell-brand" aria-label="Console, start page">
          <Mark />
          <span>Console</span>
        </Link>
        <SettingsMenu />
      </header>
      <nav className="shell-areas" aria-label="Main">
        {areas.map(({ to, name, Icon }) => (
          <Link key={to} to={to} className="shell-area">
            <Icon />
            <span>{name}</span>
          </Link>
        ))}
      </nav>
      <main id="content" className="shell-content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** Moves the focus by script, so that the URL keeps its filters and gets no `#content`. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
