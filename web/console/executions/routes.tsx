/* What the router loads of this area. */
export { ExecutionPage } from './execution-page.js';
export { ExecutionsPage } from './executions-page.js';
