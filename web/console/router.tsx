import { createRouter } from '@tanstack/react-router';
import { AppShell } from './app-shell.js';
import { PageFailure } from './page-failure.js';
import { PageMissing } from './page-missing.js';
import { PagePending } from './page-pending.js';
import { rootRoute, routeTree } from './routes.js';
import { parseSearch, stringifySearch } from './search.js';

rootRoute.update({
  component: AppShell,
  notFoundComponent: PageMissing,
});

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});
