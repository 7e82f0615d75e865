import type { Router } from '@tanstack/react-router';
import type { routeTree } from './routes.js';

/** Types links, searches and parameters everywhere. */
declare module '@tanstack/react-router' {
  interface Register {
    router: Router<typeof routeTree>;
  }
}
