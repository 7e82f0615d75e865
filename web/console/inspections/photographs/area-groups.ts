import type { Fact, Photograph, Remark, Session } from '../../../../src/api/inspections.js';
import type { AreaType } from '../../../../src/inspection/areas/area-type.js';

/** The contents of one area: photographs in the report's order, then remarks, then facts. */
export interface AreaGroup {
  area: string;
  areaType: AreaType;
  photographs: readonly Photograph[];
  remarks: readonly Remark[];
  facts: readonly Fact[];
}

export type Shown = 'all' | 'pending' | 'reported' | 'withdrawn';

interface Standing {
  pending: boolean;
  withdrawnAt?: string | null;
  /** Absent for facts. */
  reportId?: string | null;
}

/** Returns whether a report has claimed it, so that it can no longer be corrected. */
export const isClaimed = ({ pending, withdrawnAt = null, reportId = null }: Standing): boolean =>
  reportId !== null || (!pending && withdrawnAt === null);

export const isWithdrawn = ({ withdrawnAt = null }: Standing): boolean => withdrawnAt !== null;

/** Counts the records that are not withdrawn. */
export const countStanding = (records: readonly Standing[]): number =>
  records.filter((record) => !isWithdrawn(record)).length;

function keeps(shown: Shown, record: Standing): boolean {
  if (shown === 'all') return true;
  if (isWithdrawn(record)) return shown === 'withdrawn';
  return shown === (record.pending ? 'pending' : 'reported');
}

/** Groups the records of a session by area, in order of first arrival, without empty areas. */
export function groupByArea(session: Session, shown: Shown = 'all'): AreaGroup[] {
  const groups = new Map<
    string,
    { area: string; areaType: AreaType; photographs: Photograph[]; remarks: Remark[]; facts: Fact[] }
  >();
  const groupOf = (area: string, areaType: AreaType) => {
    const group = groups.get(area) ?? { area, areaType, photographs: [], remarks: [], facts: [] };
    groups.set(area, group);
    return group;
  };
  for (const { area, areaType } of session.areas) groupOf(area, areaType);
  for (const photograph of session.photographs)
    if (keeps(shown, photograph)) groupOf(photograph.area, photograph.areaType).photographs.push(photograph);
  for (const remark of session.remarks)
    if (keeps(shown, remark)) groupOf(remark.area, 'room').remarks.push(remark);
  for (const fact of session.facts) if (keeps(shown, fact)) groupOf(fact.area, 'room').facts.push(fact);
  const full = [...groups.values()].filter(
    ({ photographs, remarks, facts }) => photographs.length + remarks.length + facts.length > 0,
  );
  // The sort is stable, so equal times stay in order of arrival.
  for (const { photographs } of full)
    photographs.sort((one, other) => Date.parse(one.capturedAt) - Date.parse(other.capturedAt));
  return full;
}
