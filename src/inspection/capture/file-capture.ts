import { type AreaType, GENERAL_AREA } from '../areas/area-type.js';
import { type Area, areaNamed } from '../areas/classify-area.js';

/** An area as a session stores it: its spelling, and the type that a call gave it. */
export interface StoredArea {
  name: string;
  type: AreaType | null;
}

/** The state of a session: the open area, and the area last closed by a remark, with its time. */
export interface SessionPlace {
  current: StoredArea | null;
  last: StoredArea | null;
  /** The closing remark's instant, epoch milliseconds. */
  lastClosedAt: number | null;
}

/** The members of a call that determine its areas. */
export interface FiledCall {
  area?: string;
  areaType?: AreaType;
  /** The type that the session's records have for the area. */
  knownType?: AreaType;
  hasRemark: boolean;
  /** The remark's instant, epoch milliseconds. */
  remarkAt: number;
}

export interface Filing {
  /** The area of a photograph taken at this instant (epoch milliseconds). */
  photographArea(instant: number): Area;
  remarkArea: Area;
  /** The area of the whole call; undefined if none was named and none is open. */
  callArea: Area | undefined;
  next: SessionPlace;
}

/** Time after a remark in which photographs still count to its area: an album arrives seconds after its remark. */
const ALBUM_MS = 60_000;

/**
 * Resolves the area of a batch (contract section 5): the area of the call, else the current one. A remark closes the
 * area; photographs taken up to 60 s after the remark still belong to it. Without an area it is "General".
 */
export function fileCapture(place: SessionPlace, call: FiledCall): Filing {
  const current = call.area === undefined ? place.current : storedArea(call.area, call, place);
  const named = (stored: StoredArea) => areaNamed(stored.name, call.areaType ?? stored.type ?? undefined);
  const general = areaNamed(GENERAL_AREA, call.areaType);
  const open = current === null ? undefined : named(current);
  const closed = place.last === null ? undefined : named(place.last);
  const closedAt = call.hasRemark ? Math.max(call.remarkAt, place.lastClosedAt ?? 0) : place.lastClosedAt;
  const remarked = current ?? place.last ?? { name: GENERAL_AREA, type: call.areaType ?? null };
  return {
    photographArea: (instant) =>
      open ?? (closed && closedAt !== null && instant <= closedAt + ALBUM_MS ? closed : general),
    remarkArea: open ?? closed ?? general,
    callArea: open,
    next: call.hasRemark
      ? { current: null, last: remarked, lastClosedAt: call.remarkAt }
      : { ...place, current },
  };
}

/** Returns the area to store; without a type it retains the type that the session has for it. */
function storedArea(name: string, { areaType, knownType }: FiledCall, place: SessionPlace): StoredArea {
  const known = knownType === areaNamed(name).type ? undefined : knownType;
  return { name, type: areaType ?? storedAs(name, place)?.type ?? known ?? null };
}

/** Returns the place of the session that has this name, if one has. */
export function storedAs(name: string, { current, last }: SessionPlace): StoredArea | undefined {
  const { key } = areaNamed(name);
  return [current, last].find((stored) => stored !== null && areaNamed(stored.name).key === key) ?? undefined;
}
