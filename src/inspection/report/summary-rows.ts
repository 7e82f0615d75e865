import type { ExternalAreas, RoomSection, ServiceSection, SummaryRow } from './inspection-report.js';

/** A row per area in print order. The fixed absence sentence is not repeated here (contract section 6, rule 2). */
export function summaryRows(
  metersAndKeys: readonly ServiceSection[],
  rooms: readonly RoomSection[],
  externalAreas: ExternalAreas | null,
): SummaryRow[] {
  return [
    ...metersAndKeys.map((area) => row('meters-and-keys', area, area.absent)),
    ...rooms.map((area) => row('room', area)),
    ...(externalAreas?.rooms ?? []).map((area) => row('external', area)),
  ];
}

function row(section: SummaryRow['section'], area: RoomSection, absent = false): SummaryRow {
  const { photographs } = area;
  return {
    section,
    area: area.heading,
    photographs: photographs.length,
    first: photographs[0]?.stamp ?? null,
    last: photographs.at(-1)?.stamp ?? null,
    status: absent ? 'Reported absent' : photographs.length > 0 ? 'Photographed' : 'Noted',
  };
}
