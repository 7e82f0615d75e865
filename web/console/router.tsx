import { type AnyRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { lateScripts } from './api/late-script.js';
import { AppShell } from './app-shell.js';
import { adoptDraft, NEW_FLOW } from './flows/drafts.js';
import { prepareFlow } from './flows/prepare-flow.js';
import { PageFailure } from './page-failure.js';
import { PageMissing } from './page-missing.js';
import { PagePending } from './page-pending.js';
import * as routes from './routes.js';
import { parseSearch, stringifySearch } from './search.js';

const home = () => lateScripts.arrived(() => import('./home/routes.js'));
const executions = () => lateScripts.arrived(() => import('./executions/routes.js'));
const flows = () => lateScripts.arrived(() => import('./flows/routes.js'));
const inspections = () => lateScripts.arrived(() => import('./inspections/routes.js'));
const documents = () => lateScripts.arrived(() => import('./documents/routes.js'));
const access = () => lateScripts.arrived(() => import('./access/routes.js'));

routes.rootRoute.update({
  component: AppShell,
  notFoundComponent: PageMissing,
});

/** The pages, each loaded on first use. */
const pages: readonly [route: AnyRoute, page: ReturnType<typeof lazyRouteComponent>][] = [
  [routes.homeRoute, lazyRouteComponent(home, 'HomePage')],
  [routes.executionsRoute, lazyRouteComponent(executions, 'ExecutionsPage')],
  [routes.executionRoute, lazyRouteComponent(executions, 'ExecutionPage')],
  [routes.flowsRoute, lazyRouteComponent(flows, 'FlowsPage')],
  [routes.newFlowRoute, lazyRouteComponent(flows, 'NewFlowPage')],
  [routes.flowRoute, lazyRouteComponent(flows, 'FlowPage')],
  [routes.flowUseRoute, lazyRouteComponent(flows, 'UsePage')],
  [routes.casesRoute, lazyRouteComponent(flows, 'CasesPage')],
  [routes.flowVersionsRoute, lazyRouteComponent(flows, 'VersionsPage')],
  [routes.visitorsRoute, lazyRouteComponent(flows, 'VisitorsPage')],
  [routes.inspectionsRoute, lazyRouteComponent(inspections, 'InspectionsPage')],
  [routes.inspectionRoute, lazyRouteComponent(inspections, 'InspectionPage')],
  [routes.documentsRoute, lazyRouteComponent(documents, 'StoresPage')],
  [routes.documentStoreRoute, lazyRouteComponent(documents, 'StorePage')],
  [routes.accessRoute, lazyRouteComponent(access, 'AccessPage')],
  [routes.keysRoute, lazyRouteComponent(access, 'KeysPage')],
  [routes.creditRoute, lazyRouteComponent(access, 'CreditPage')],
  [routes.limitsRoute, lazyRouteComponent(access, 'LimitsPage')],
  [routes.blocksRoute, lazyRouteComponent(access, 'BlocksPage')],
  [routes.credentialsRoute, lazyRouteComponent(access, 'CredentialsPage')],
];
for (const [route, component] of pages) route.update({ component });
Object.assign(routes.flowRoute.options, {
  loader: ({ params }: { params: { id: string } }) => prepareFlow(params.id),
});
Object.assign(routes.newFlowRoute.options, { loader: () => adoptDraft(NEW_FLOW) });

export const router = createRouter({
  routeTree: routes.routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});
