import { type AreaType, GENERAL_AREA } from '../areas/area-type.js';
import { type Area, areaNamed } from '../areas/classify-area.js';

/** An area as a session remembers it: its spelling, and the type that a call gave it. */
export interface StoredArea {
  name: string;
  type: AreaType | null;
}

/** The state of a session: the open area, and the one that a remark closed last, with its time. */
export interface SessionPlace {
  current: StoredArea | null;
  last: StoredArea | null;
  /** The closing remark's instant, epoch milliseconds. */
  lastClosedAt: number | null;
}

/** The members of a call that decide to which area its parts belong. */
export interface FiledCall {
  area?: string;
  areaType?: AreaType;
  hasRemark: boolean;
  /** The remark's instant, epoch milliseconds. */
  remarkAt: number;
}

export interface Filing {
  /** The area of a photograph taken at this instant (epoch milliseconds). */
  photographArea(instant: number): Area;
  remarkArea: Area;
  /** The area of the call as a whole; undefined when none was named and none is open. */
  callArea: Area | undefined;
  next: SessionPlace;
}

/** Pictures of one album arrive seconds after the remark that was sent with them. */
const ALBUM_MS = 60_000;

/**
 * Decides which area a batch belongs to (contract section 5): the area of the call, else the current one; a remark
 * closes it, and photographs taken up to 60 s after that remark still belong there; with neither, "General".
 */
export function fileCapture(place: SessionPlace, call: FiledCall): Filing {
  const current = call.area === undefined ? place.current : storedArea(call.area, call.areaType, place);
  const named = (stored: StoredArea) => areaNamed(stored.name, call.areaType ?? stored.type ?? undefined);
  const general = areaNamed(GENERAL_AREA, call.areaType);
  const open = current === null ? undefined : named(current);
  const closed = place.last === null ? undefined : named(place.last);
  const closedAt = place.lastClosedAt;
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

/** An area named again without its type keeps the type that it was given before. */
function storedArea(name: string, type: AreaType | undefined, place: SessionPlace): StoredArea {
  const { key } = areaNamed(name);
  const before = [place.current, place.last].find(
    (stored) => stored !== null && areaNamed(stored.name).key === key,
  );
  return { name, type: type ?? before?.type ?? null };
}
