import type { Change } from '../../../../src/api/corrections.js';
import type { Fact, Photograph, Remark } from '../../../../src/api/inspections.js';
import { uniqueId } from '../../../common/unique-id.js';
import { type CallOptions, post, segment } from '../../api/client.js';
import { counted } from '../../parts/words.js';
import { ukStamp } from '../photographs/uk-stamp.js';
import type { Place } from '../place.js';
import type { Batch, Step } from './correction-run.js';

/** Returns the name of a photograph for people. */
export const photographName = ({ capturedAt, area }: Photograph): string => `${ukStamp(capturedAt)}, ${area}`;

/** Returns the batch that corrects each of these photographs. */
export function correctPhotographs(
  photographs: readonly Photograph[],
  change: Change,
  reason?: string,
): Batch {
  const steps = photographs.map((photograph) =>
    step(
      'photographs',
      photograph.id,
      photographName(photograph),
      change,
      before(photograph, change),
      reason,
    ),
  );
  return { steps, summary: (done) => `${counted(done, 'photograph')} ${inWords(change)}` };
}

/** Returns the batch that corrects a remark. */
export function correctRemark(remark: Remark, change: Change, reason?: string): Batch {
  const name = `The remark of ${ukStamp(remark.recordedAt)}, ${remark.area}`;
  const steps = [step('remarks', remark.id, name, change, before(remark, change), reason)];
  return { steps, summary: () => `The remark was ${inWords(change)}` };
}

/** Returns the batch that renames an area. If the new name merges two areas, undoing it moves each record back. */
export function renameArea(
  { flowId, sessionId }: Pick<Place, 'flowId' | 'sessionId'>,
  { from, to, merges }: { from: string; to: string; merges: boolean },
  records: { photographs: readonly Photograph[]; remarks: readonly Remark[]; facts: readonly Fact[] },
  reason?: string,
): Batch {
  const path = `inspection/sessions/${segment(sessionId)}/areas/rename`;
  const ids = [...records.photographs, ...records.remarks].map(({ id }) => id);
  const rename = (body: object): Step => ({
    ids,
    name: from,
    send: sender(path, body, { query: { flowId } }),
  });
  const oneByOne = [
    ...correctPhotographs(records.photographs, { area: to }).steps,
    ...records.remarks.flatMap((remark) => correctRemark(remark, { area: to }).steps),
    ...records.facts.map((fact) => step('facts', fact.id, fact.area, { area: to }, { area: from })),
  ].flatMap(({ back }) => back ?? []);
  const back = merges ? oneByOne : [rename({ from: to, to: from })];
  const steps = [{ ...rename({ from, to, ...(reason ? { reason } : {}) }), back }];
  return { steps, summary: () => `${from} renamed to ${to}` };
}

function step(
  path: 'photographs' | 'remarks' | 'facts',
  id: string,
  name: string,
  change: Change,
  was: Change,
  reason?: string,
): Step {
  const made = (body: Change & { reason?: string }): Step => ({
    ids: [id],
    name,
    send: sender(`inspection/${path}/${segment(id)}/corrections`, body),
  });
  return { ...made({ ...change, ...(reason ? { reason } : {}) }), back: [made(was)] };
}

/** Returns a call with a fixed idempotency key, so that a retry does not rotate a photograph twice. */
function sender(path: string, body: object, options: CallOptions = {}): Step['send'] {
  const headers = { 'Idempotency-Key': uniqueId() };
  return () => post(path, body, { ...options, headers });
}

/** Returns the current values of the members that a change sets. */
function before(record: Photograph | Remark, change: Change): Change {
  const was: Change = {};
  if (change.area !== undefined) {
    was.area = record.area;
    if ('areaType' in record) was.areaType = record.areaType;
  }
  if (change.withdrawn !== undefined) was.withdrawn = record.withdrawnAt !== null;
  if (change.turn !== undefined) was.turn = 360 - change.turn;
  if (change.caption !== undefined && 'caption' in record) was.caption = record.caption ?? '';
  if (change.text !== undefined && 'text' in record) was.text = record.text;
  return was;
}

function inWords({ area, withdrawn, turn, caption, text }: Change): string {
  if (text !== undefined) return 'reworded';
  if (area !== undefined) return `moved to ${area}`;
  if (turn !== undefined)
    return turn === 180 ? 'rotated by 180°' : `rotated ${turn === 90 ? 'right' : 'left'}`;
  if (caption !== undefined) return caption === '' ? 'left without a caption' : 'captioned';
  return withdrawn ? 'withdrawn' : 'restored';
}
