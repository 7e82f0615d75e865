const MOST_ROWS = 200;
const MOST_BYTES = 4 * 1024 * 1024;

/** The places of all rows of a table in order, and the approximate bytes of each row. */
export interface RowPlaces<Place> {
  places: Place[];
  bytes: number[];
}

/** Splits places into pages whose rows fit into memory together. A larger row is a page of its own. */
export function* pagesOf<Place>({ places, bytes }: RowPlaces<Place>): Generator<Place[]> {
  let page: Place[] = [];
  let size = 0;
  for (const [at, place] of places.entries()) {
    const more = bytes[at] ?? 0;
    if (page.length > 0 && (page.length >= MOST_ROWS || size + more > MOST_BYTES)) {
      yield page;
      page = [];
      size = 0;
    }
    page.push(place);
    size += more;
  }
  if (page.length > 0) yield page;
}

/** Quotes a name for a statement of either database. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
