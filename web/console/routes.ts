import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { lateScripts } from './api/late-script.js';
import { adoptDraft, NEW_FLOW } from './flows/drafts.js';
import { prepareFlow } from './flows/prepare-flow.js';
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

const home = () => lateScripts.arrived(() => import('./home/routes.js'));
const executions = () => lateScripts.arrived(() => import('./executions/routes.js'));
const flows = () => lateScripts.arrived(() => import('./flows/routes.js'));
const inspections = () => lateScripts.arrived(() => import('./inspections/routes.js'));
const documents = () => lateScripts.arrived(() => import('./documents/routes.js'));
const access = () => lateScripts.arrived(() => import('./access/routes.js'));

/* The console's routes, with their search parameters and their pages, each loaded on first use. */
export const rootRoute = createRootRoute();

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console',
  component: lazyRouteComponent(home, 'HomePage'),
});

const executionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/executions',
  validateSearch: readExecutionsSearch,
  component: lazyRouteComponent(executions, 'ExecutionsPage'),
});
const executionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/executions/$id',
  component: lazyRouteComponent(executions, 'ExecutionPage'),
});

const flowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows',
  component: lazyRouteComponent(flows, 'FlowsPage'),
});
/** No flow id starts with `~`. */
const newFlowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/~new',
  loader: () => adoptDraft(NEW_FLOW),
  component: lazyRouteComponent(flows, 'NewFlowPage'),
});
const flowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id',
  validateSearch: readFlowSearch,
  loader: ({ params }) => prepareFlow(params.id),
  component: lazyRouteComponent(flows, 'FlowPage'),
});

const flowUseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/use',
  component: lazyRouteComponent(flows, 'UsePage'),
});

const casesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/cases',
  validateSearch: readCasesSearch,
  component: lazyRouteComponent(flows, 'CasesPage'),
});

const flowVersionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/versions',
  validateSearch: readVersionsSearch,
  component: lazyRouteComponent(flows, 'VersionsPage'),
});

const visitorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/flows/$id/visitors',
  validateSearch: readVisitorsSearch,
  component: lazyRouteComponent(flows, 'VisitorsPage'),
});

const inspectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/inspections',
  validateSearch: readSessionsSearch,
  component: lazyRouteComponent(inspections, 'InspectionsPage'),
});
const inspectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/inspections/$sessionId',
  validateSearch: readSessionSearch,
  component: lazyRouteComponent(inspections, 'InspectionPage'),
});

const documentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/documents',
  component: lazyRouteComponent(documents, 'StoresPage'),
});
const documentStoreRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/documents/$id',
  component: lazyRouteComponent(documents, 'StorePage'),
});

/** The parent of the access tabs. */
const accessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/access',
  component: lazyRouteComponent(access, 'AccessPage'),
});
const accessIndexRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: '/',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw redirect({ to: '/console/access/keys', replace: true });
  },
});
const keysRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'keys',
  component: lazyRouteComponent(access, 'KeysPage'),
});
const creditRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'credit',
  validateSearch: readCreditSearch,
  component: lazyRouteComponent(access, 'CreditPage'),
});
const limitsRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'limits',
  validateSearch: readLimitsSearch,
  component: lazyRouteComponent(access, 'LimitsPage'),
});
const blocksRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'blocks',
  component: lazyRouteComponent(access, 'BlocksPage'),
});
const credentialsRoute = createRoute({
  getParentRoute: () => accessRoute,
  path: 'credentials',
  component: lazyRouteComponent(access, 'CredentialsPage'),
});

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
