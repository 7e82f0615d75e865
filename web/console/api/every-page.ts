import type { PageOf } from '../../../src/api/shapes.js';
import { get } from './client.js';

const MOST_PAGES = 50;

/** Loads a list page by page, up to a fixed maximum. */
export async function everyPage<Item>(path: string, limit: number, signal?: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data, nextCursor } = await get<PageOf<Item>>(path, { query: { limit, cursor }, signal });
    items.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return items;
}
