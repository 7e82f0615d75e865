/* What the router loads of this area. */
export { FlowPage } from './flow-page.js';
export { FlowsPage } from './flows-page.js';
export { NewFlowPage } from './new-flow-page.js';
