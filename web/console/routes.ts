import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import {
  readCasesSearch,
  readCreditSearch,
  readExecutionsSearch,
  readFlowSearch,
  readLimitsSearch,
  readSessionSearch,
  readSessionsSearch,
  readVersionsSearch,
  readVisitorsSearch,
} from './search.js';

/** The console's routes with their search parameters. `router.tsx` maps them to pages. */
export const rootRoute = createRootRoute();

export const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/console' });

export const executionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/executions',
  validateSearch: readExecutionsSearch,
});
export const executionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/executions/$id',
});

export const flowsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/console/flows' });
/** No flow id starts with `~`. */
export const newFlowRoute = createRoute({ getParentRoute: () => rootRoute, path: '/console/flows/~new' });
export const flowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id',
  validateSearch: readFlowSearch,
});

export const flowUseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/use',
});

export const casesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/cases',
  validateSearch: readCasesSearch,
});

export const flowVersionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/versions',
  validateSearch: readVersionsSearch,
});

export const visitorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/visitors',
  validateSearch: readVisitorsSearch,
});

export const inspectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/inspections',
  validateSearch: readSessionsSearch,
});
export const inspectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/inspections/$sessionId',
  validateSearch: readSessionSearch,
});

export const documentsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/console/documents' });
export const documentStoreRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/documents/$id',
});

/** The parent of the access tabs. */
export const accessRoute = createRoute({ getParentRoute: () => rootRoute, path: '/console/access' });
const accessIndexRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: '/',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw redirect({ to: '/console/access/keys', replace: true });
  },
});
export const keysRoute = createRoute({ getParentRoute: () => accessRoute, path: 'keys' });
export const creditRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'credit',
  validateSearch: readCreditSearch,
});
export const limitsRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'limits',
  validateSearch: readLimitsSearch,
});
export const blocksRoute = createRoute({ getParentRoute: () => accessRoute, path: 'blocks' });
export const credentialsRoute = createRoute({ getParentRoute: () => accessRoute, path: 'credentials' });

export const routeTree = rootRoute.addChildren([
  homeRoute,
  executionsRoute,
  executionRoute,
  flowsRoute,
  newFlowRoute,
  flowRoute,
  flowUseRoute,
  casesRoute,
  flowVersionsRoute,
  visitorsRoute,
  inspectionsRoute,
  inspectionRoute,
  documentsRoute,
  documentStoreRoute,
  accessRoute.addChildren([
    accessIndexRoute,
    keysRoute,
    creditRoute,
    limitsRoute,
    blocksRoute,
    credentialsRoute,
  ]),
]);
