interface Place {
  scrollTop: number;
  activeId: string | undefined;
}

const MOST = 50;
const places = new Map<string, Place>();

/** Where somebody was in the list when they left it, by the entry of the browser's history: for coming back. */
export function rememberPlace(entry: string, place: Place): void {
  places.delete(entry);
  places.set(entry, place);
  if (places.size > MOST) places.delete(places.keys().next().value!);
}

export const placeOf = (entry: string): Place | undefined => places.get(entry);

let left = '';

/** The list was left for the address that is shown now. */
export const leaveListFor = (path: string): void => void (left = path);
export const cameFromList = (): boolean => left === location.pathname;

export const pathOf = (id: string): string => `/console/executions/${encodeURIComponent(id)}`;
