import { comparison } from './templates/comparison/comparison-template.js';
import { inspection } from './templates/inspection/inspection-template.js';
import { listed, type ListedTemplate } from './templates/template.js';

/** All templates of reports. A new one is a folder in `templates` and one line here. */
export const TEMPLATES: readonly [ListedTemplate, ...ListedTemplate[]] = [
  listed(inspection),
  listed(comparison),
];

/** Throws for a template that this version of the service does not have: a stored report may be of a newer version. */
export function templateNamed(id: string): ListedTemplate {
  const found = TEMPLATES.find((template) => template.id === id);
  if (!found) throw new Error(`this version of the service has no template "${id}"`);
  return found;
}
