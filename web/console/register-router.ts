import type { Router } from '@tanstack/react-router';
import type { routeTree } from './routes.js';

/** Makes links, searches and parameters typed wherever they are used. */
declare module '@tanstack/react-router' {
  interface Register {
    router: Router<typeof routeTree>;
  }
}
