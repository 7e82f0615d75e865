import type { Area } from '../areas/classify-area.js';
import type { SentFact } from '../facts/fact.js';
import type { Filing } from './file-capture.js';
import type { PlannedPhotograph } from './plan-photographs.js';
import type { SessionUse } from './session-limits.js';

/** The parts of a call that are not yet recorded. */
export interface FreshParts {
  photographs: readonly PlannedPhotograph[];
  remark: string | undefined;
  facts: readonly SentFact[];
  /** Bytes by which the details of the session grow. */
  detailsGrowth: number;
}

/** Returns the use of a session with these parts, its photographs not counted. */
export function useWith(
  use: SessionUse,
  { photographs, remark, facts, detailsGrowth }: FreshParts,
  { filing, factArea }: { filing: Filing; factArea: Area },
): SessionUse {
  const texts = [
    remark ?? '',
    ...photographs.map(({ sent }) => sent.caption ?? ''),
    ...facts.map(({ words }) => JSON.stringify(words)),
  ];
  const areas = new Set(use.areas);
  if (remark !== undefined) areas.add(filing.remarkArea.key);
  for (const { capturedAt } of photographs) areas.add(filing.photographArea(capturedAt).key);
  if (facts.length > 0) areas.add(factArea.key);
  return {
    ...use,
    textBytes: use.textBytes + detailsGrowth + texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    facts: use.facts + facts.length,
    remarks: use.remarks + (remark === undefined ? 0 : 1),
    areas,
  };
}
