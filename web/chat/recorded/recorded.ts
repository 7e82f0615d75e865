/** A photograph that was sent and recorded, as it stands by now. */
export interface Recorded {
  /** The service's own id of it. */
  id: string;
  area: string;
  /** Degrees clockwise. */
  turn: number;
  withdrawn: boolean;
  /** When a report took it: from then on it stays as it is. ISO 8601. */
  reportedAt?: string;
}

/** How a photograph shall be. A goal and not a step: what is asked for twice is done once. */
export type Wanted = { area: string } | { turn: number } | { withdrawn: boolean };

/** The members of a correction that this page sends; `turn` adds up. */
export interface Change {
  area?: string;
  turn?: number;
  withdrawn?: boolean;
}

/** The correction that makes it so; undefined where it is so already. */
export function changeTo(photograph: Recorded, wanted: Wanted): Change | undefined {
  if ('turn' in wanted) {
    const turn = (((wanted.turn - photograph.turn) % 360) + 360) % 360;
    return turn === 0 ? undefined : { turn };
  }
  if ('withdrawn' in wanted) return wanted.withdrawn === photograph.withdrawn ? undefined : wanted;
  return wanted.area === photograph.area ? undefined : wanted;
}

const OFFERED = 12;

/** The areas to move to, but not the photograph's own: those of the inspection, the newest first, and the usual ones besides. */
export function areasToOffer(
  own: readonly string[],
  usual: readonly string[],
  here: string,
): { own: string[]; usual: string[] } {
  const isHere = (area: string) => plain(area) === plain(here);
  const isOwn = (area: string) => own.some((one) => plain(one) === plain(area));
  return {
    own: own
      .filter((area) => !isHere(area))
      .slice(-OFFERED)
      .reverse(),
    usual: usual.filter((area) => !isHere(area) && !isOwn(area)),
  };
}

/** Whether two names mean one area is the service's to decide: here they need only not stand twice. */
const plain = (area: string): string =>
  area
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s-]+/u)
    .join(' ')
    .trim();

/** A photograph of the page that is being corrected. */
export interface CorrectionProps {
  /** The id that the page gave the photograph. */
  id: string;
  name: string;
  /** Which one it is. */
  label: string;
  onClose: () => void;
}
