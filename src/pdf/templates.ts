import { comparison } from './templates/comparison/comparison-template.js';
import { inspection } from './templates/inspection/inspection-template.js';
import { listed, type ListedTemplate } from './templates/template.js';

/** All templates of reports. A new one is a folder beside these, and one line here. */
export const TEMPLATES: readonly [ListedTemplate, ...ListedTemplate[]] = [
  listed(inspection),
  listed(comparison),
];

/** Throws for what this version of the service does not know: a request's template was checked, a kept one may be newer. */
export function templateNamed(id: string): ListedTemplate {
  const found = TEMPLATES.find((template) => template.id === id);
  if (!found) throw new Error(`this version of the service has no template "${id}"`);
  return found;
}
