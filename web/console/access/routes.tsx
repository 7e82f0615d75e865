import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { TabLinks } from '../parts/actions/tab-links.js';
import { Page } from '../parts/page.js';

export { BlocksPage } from './blocks-page.js';
export { CredentialsPage } from './credentials/credentials-page.js';
export { CreditPage } from './credit/credit-page.js';
export { KeysPage } from './keys/keys-page.js';
export { LimitsPage } from './limits/limits-page.js';

export function AccessPage() {
  const frame = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On a phone the tabs are wider than the page.
  useEffect(() => {
    frame.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [path]);
  return (
    <Page title="Access">
      <div ref={frame}>
        <TabLinks
          label="Access"
          tabs={[
            { to: '/console/access/keys', name: 'API keys' },
            { to: '/console/access/credit', name: 'Credit' },
            { to: '/console/access/limits', name: 'Rate limits' },
            { to: '/console/access/blocks', name: 'Blocks' },
            { to: '/console/access/credentials', name: 'Credentials' },
          ]}
        />
      </div>
      <Outlet />
    </Page>
  );
}
