import type { PageOf } from '../../../src/api/shapes.js';
import { get, type Query } from './client.js';

const MOST_PAGES = 50;

/** Loads a list page by page, up to a fixed maximum. `query.limit`: the size of a page. */
export async function everyPage<Item>(
  path: string,
  query: Query & { limit: number },
  signal?: AbortSignal,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data, nextCursor } = await get<PageOf<Item>>(path, {
      query: { ...query, cursor },
      signal,
    });
    items.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return items;
}
