export { InspectionPage } from './inspection-page.js';
export { InspectionsPage } from './list/inspections-page.js';
