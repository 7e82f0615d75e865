/* The pages of this area, for the router to load. */
export { CasesPage } from './cases/cases-page.js';
export { FlowPage } from './flow-page.js';
export { FlowsPage } from './list/flows-page.js';
export { NewFlowPage } from './new-flow-page.js';
export { VersionsPage } from './versions/versions-page.js';
export { UsePage } from './use/use-page.js';
export { VisitorsPage } from './visitors/visitors-page.js';
