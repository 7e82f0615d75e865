import { normalizeArea } from '../../../inspection/areas/normalize-area.js';
import type {
  InspectionReport,
  RoomSection,
  ServiceSection,
} from '../../../inspection/report/inspection-report.js';
import type { AreaSide } from './comparison-report.js';
import type { AreaPair } from './pair-facts.js';

/** An area with its section: Meters & Keys, a room, or External Areas. */
export interface PlacedArea extends AreaPair {
  readonly section: Section;
}

type Section = 'service' | 'room' | 'external';

interface OneSided {
  readonly identity: string;
  readonly section: Section;
  readonly heading: string;
  readonly side: AreaSide;
}

/**
 * Pairs the areas of two reports: those of the earlier report in its order, then those of the later one alone. Areas match
 * by their names as everywhere (contract section 6, rule 6). An area that is a room in one report and external in the other
 * is placed as in the earlier report.
 */
export function pairAreas(before: InspectionReport, after: InspectionReport): PlacedArea[] {
  const [earlier, later] = [areasOf(before), areasOf(after)];
  const rest = new Map(later.map((area) => [area.identity, area]));
  const paired = earlier.map(({ identity, section, heading, side }): PlacedArea => {
    const match = rest.get(identity);
    rest.delete(identity);
    return { section, heading, before: side, after: match?.side ?? null };
  });
  const added = [...rest.values()].map(({ section, heading, side }): PlacedArea => ({
    ...{ section, heading, before: null, after: side },
  }));
  return [...paired, ...added];
}

function areasOf({ metersAndKeys, rooms, externalAreas }: InspectionReport): OneSided[] {
  const used = new Set<string>();
  const area = (section: Section, room: RoomSection & Partial<ServiceSection>): OneSided => {
    const { heading, photographs, comments, facts, absent = false, keyDetails = [] } = room;
    const name = room.service ? `service ${room.service}` : `area ${normalizeArea(heading)}`;
    // A room and an external area with the same name in one report are two areas.
    const identity = used.has(name) ? `${section} ${name}` : name;
    used.add(identity);
    return { identity, section, heading, side: { photographs, comments, facts, absent, keyDetails } };
  };
  const outside = (externalAreas?.rooms ?? []).filter(
    ({ photographs, facts }) => photographs.length + facts.length > 0,
  );
  return [
    ...metersAndKeys.map((entry) => area('service', entry)),
    ...rooms.map((room) => area('room', room)),
    ...outside.map((room) => area('external', room)),
  ];
}
