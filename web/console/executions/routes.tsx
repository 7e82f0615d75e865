/* The pages of this area, for the router to load. */
export { ExecutionPage } from './execution/execution-page.js';
export { ExecutionsPage } from './list/executions-page.js';
