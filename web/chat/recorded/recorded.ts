/** The current state of a recorded photograph. */
export interface Recorded {
  /** The photograph's id at the service. */
  id: string;
  area: string;
  /** Rotation in degrees clockwise. */
  turn: number;
  withdrawn: boolean;
  /** The time at which a report claimed it, after which it cannot be corrected. ISO 8601. */
  reportedAt?: string;
}

/** The wanted state of a photograph. It is a goal rather than a step, so a repeated request changes nothing more. */
export type Wanted = { area: string } | { turn: number } | { withdrawn: boolean };

/** The members of a correction that this page sends. `turn` is relative. */
export interface Change {
  area?: string;
  turn?: number;
  withdrawn?: boolean;
}

/** Returns the correction that leads to the wanted state; undefined when it is reached already. */
export function changeTo(photograph: Recorded, wanted: Wanted): Change | undefined {
  if ('turn' in wanted) {
    const turn = (((wanted.turn - photograph.turn) % 360) + 360) % 360;
    return turn === 0 ? undefined : { turn };
  }
  if ('withdrawn' in wanted) return wanted.withdrawn === photograph.withdrawn ? undefined : wanted;
  return wanted.area === photograph.area ? undefined : wanted;
}

const OFFERED = 12;

/** Returns the areas to choose from: the inspection's, newest first, and those of `usual` beside them, without `here`. */
export function areasToOffer(
  own: readonly string[],
  usual: readonly string[],
  here: string,
): { own: string[]; usual: string[] } {
  const isHere = (area: string) => plainArea(area) === plainArea(here);
  const isOwn = (area: string) => own.some((one) => plainArea(one) === plainArea(area));
  return {
    own: own
      .filter((area) => !isHere(area))
      .slice(-OFFERED)
      .reverse(),
    usual: usual.filter((area) => !isHere(area) && !isOwn(area)),
  };
}

/** Normalises a name to avoid listing an area twice. The service decides whether two names mean the same area. */
export const plainArea = (area: string): string =>
  area
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s-]+/u)
    .join(' ')
    .trim();

/** The photograph being corrected. */
export interface CorrectionProps {
  /** The message id that the page gave the photograph. */
  id: string;
  name: string;
  /** Its accessible name. */
  label: string;
  onClose: () => void;
}

/** The choice of the area for the next message. */
export interface TargetProps {
  /** Empty while there is none. */
  target: string;
  onChoose: (area: string) => void;
  onClose: () => void;
}

/** The photographs of a message, to be moved together. */
export interface MoveProps {
  ids: readonly string[];
  /** The area of all of them; empty when they are in several. */
  area: string;
  onClose: () => void;
}
