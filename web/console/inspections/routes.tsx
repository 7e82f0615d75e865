export { InspectionPage } from './inspection-page.js';
export { InspectionsPage } from './inspections-page.js';
