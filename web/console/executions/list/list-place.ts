interface Place {
  scrollTop: number;
  activeId: string | undefined;
}

const MOST = 50;
const places = new Map<string, Place>();

/** Stores the position in the list per entry of the browser's history, to restore it on return. */
export function rememberPlace(entry: string, place: Place): void {
  places.delete(entry);
  places.set(entry, place);
  if (places.size > MOST) places.delete(places.keys().next().value!);
}

export const placeOf = (entry: string): Place | undefined => places.get(entry);

let left = '';

/** Notes the path that the list was left for. */
export const leaveListFor = (path: string): void => void (left = path);
export const cameFromList = (): boolean => left === location.pathname;

export const pathOf = (id: string): string => `/console/executions/${encodeURIComponent(id)}`;
