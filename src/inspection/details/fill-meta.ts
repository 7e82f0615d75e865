import type { Warning } from '../../common/warnings.js';
import type { Details } from './read-details.js';

/** The `meta` of a render, filled from the record of the inspection. */
export interface FilledMeta {
  readonly meta: unknown;
  /** The members that come from the record. */
  readonly filled: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
}

/**
 * Fills missing members of `meta` from the record (contract section 5). A member in `meta` takes precedence, also if it is
 * null or empty and so leaves its place blank. A `meta` that is no object is returned for its reader to refuse.
 */
export function fillMeta(meta: unknown, details: Details): FilledMeta {
  const given = meta ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) return { meta, filled: new Set(), warnings: [] };
  const own = given as { readonly [name: string]: unknown };
  const added = Object.entries(details).filter(
    ([name]) => !Object.hasOwn(own, name) || own[name] === undefined,
  );
  if (added.length === 0) return { meta, filled: new Set(), warnings: differences(own, details) };
  return {
    meta: Object.fromEntries([...Object.entries(own), ...added]),
    filled: new Set(added.map(([name]) => name)),
    warnings: differences(own, details),
  };
}

/** Warns if the report type differs from the record: title and required areas then differ, which is rarely intended. */
function differences({ reportType }: { readonly [name: string]: unknown }, details: Details): Warning[] {
  const recorded = details['reportType'];
  if (typeof reportType !== 'string' || typeof recorded !== 'string') return [];
  if (!/\S/.test(reportType) || !/\S/.test(recorded) || reportType === recorded) return [];
  const message = `meta.reportType "${reportType.slice(0, 80)}" is not "${recorded.slice(0, 80)}", which the record of the inspection says; the report is of the first.`;
  return [
    { code: 'report_type_differs', message, path: 'meta.reportType', suggestion: recorded.slice(0, 80) },
  ];
}
