import type { AreaType, Photograph, Remark, Session } from '../api/types/inspections.js';

/** What stands under one heading: photographs in the order in which the report prints them, then remarks. */
export interface AreaGroup {
  area: string;
  areaType: AreaType;
  photographs: readonly Photograph[];
  remarks: readonly Remark[];
}

export type Shown = 'all' | 'pending' | 'reported';

const keeps = (shown: Shown, { pending }: { pending: boolean }): boolean =>
  shown === 'all' || pending === (shown === 'pending');

/** The areas of a session in order of first arrival; those without anything to show are left out. */
export function groupByArea(session: Session, shown: Shown = 'all'): AreaGroup[] {
  const groups = new Map<
    string,
    { area: string; areaType: AreaType; photographs: Photograph[]; remarks: Remark[] }
  >();
  const groupOf = (area: string, areaType: AreaType) => {
    const group = groups.get(area) ?? { area, areaType, photographs: [], remarks: [] };
    groups.set(area, group);
    return group;
  };
  for (const { area, areaType } of session.areas) groupOf(area, areaType);
  for (const photograph of session.photographs)
    if (keeps(shown, photograph)) groupOf(photograph.area, photograph.areaType).photographs.push(photograph);
  for (const remark of session.remarks)
    if (keeps(shown, remark)) groupOf(remark.area, 'room').remarks.push(remark);
  const full = [...groups.values()].filter(
    ({ photographs, remarks }) => photographs.length + remarks.length > 0,
  );
  // The sort is stable: of one instant, the one that arrived first.
  for (const { photographs } of full)
    photographs.sort((one, other) => Date.parse(one.capturedAt) - Date.parse(other.capturedAt));
  return full;
}
