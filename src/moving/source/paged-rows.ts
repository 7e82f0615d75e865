const MOST_ROWS = 200;
const MOST_BYTES = 4 * 1024 * 1024;

/** The places of all rows of a table in their order, each with about how many bytes it has. */
export interface RowPlaces<Place> {
  places: Place[];
  bytes: number[];
}

/** Cuts the places into pages that are small enough to be in memory together; a larger row is a page of its own. */
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

/** A name as both databases take it in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
