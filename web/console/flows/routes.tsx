/* The pages of this area, for the router to load. */
export { FlowPage } from './flow-page.js';
export { FlowsPage } from './list/flows-page.js';
export { NewFlowPage } from './new-flow-page.js';
export { UsePage } from './use/use-page.js';
export { VisitorsPage } from './visitors/visitors-page.js';
