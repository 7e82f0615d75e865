import type { ExecutionRecord } from '../../../../src/api/executions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import type { ExecutionsSearch } from '../../search.js';

export type Pages = readonly PageOf<ExecutionRecord>[];

/** Returns the index of an id in a descending list, or its insertion point. */
function placeOf(rows: readonly ExecutionRecord[], id: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]!.id > id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the page that an id belongs to; undefined when that page is not loaded yet. */
function pageOf(pages: Pages, id: string): number | undefined {
  const index = pages.findIndex(({ data }) => data.length > 0 && data.at(-1)!.id <= id);
  if (index >= 0) return index;
  return pages.at(-1)?.nextCursor === null ? pages.length - 1 : undefined;
}

export function isListed(pages: Pages, id: string): boolean {
  const rows = pages[pageOf(pages, id) ?? -1]?.data ?? [];
  return rows[placeOf(rows, id)]?.id === id;
}

/**
 * Merges records into the pages: known ones are replaced, new ones inserted. Unchanged pages stay the same objects. Ids
 * descend, since they sort by the start of the execution.
 */
export function merged(pages: Pages, records: readonly ExecutionRecord[]): PageOf<ExecutionRecord>[] {
  const result = [...pages];
  const copied = new Set<number>();
  for (const record of records) {
    const index = pageOf(result, record.id);
    if (index === undefined) continue;
    if (!copied.has(index)) result[index] = { ...result[index]!, data: [...result[index]!.data] };
    copied.add(index);
    const rows = result[index]!.data;
    const place = placeOf(rows, record.id);
    rows.splice(place, rows[place]?.id === record.id ? 1 : 0, record);
  }
  return result;
}

/** Checks a record against the filters that can change during a run. The stream applies the others. */
export const passes = (
  record: ExecutionRecord,
  { status, httpStatus, code, minDurationMs }: ExecutionsSearch,
): boolean =>
  (code === undefined || record.code === code) &&
  (minDurationMs === undefined || (record.durationMs ?? -1) >= minDurationMs) &&
  (status === undefined || record.status === status) &&
  (httpStatus === undefined || record.httpStatus === httpStatus);
