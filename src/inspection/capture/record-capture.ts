import { v7 as uuidV7 } from 'uuid';
import type { CaptureAnswer } from '../../api/inspections.js';
import type { ServiceError } from '../../common/service-error.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { Area } from '../areas/classify-area.js';
import { propertyPlace, changeDetails, DetailsTooLarge } from '../details/details-rows.js';
import type { DetailsChange } from '../details/read-details.js';
import type { RecordedFact } from '../facts/fact.js';
import { recordFacts } from '../facts/record-facts.js';
import type { PictureWarning } from '../pictures/picture.js';
import { summarise } from '../sessions/session-summary.js';
import { cameraDifferences } from './camera-differences.js';
import type {
  CaptureCommand,
  DuplicatePhotograph,
  RecordedPhotograph,
  RecordedRemark,
  Rejection,
} from './capture-command.js';
import {
  insertPhotograph,
  insertRemark,
  knownPhotographs,
  knownRemark,
  likenessOf,
} from './capture-records.js';
import type { Filing } from './file-capture.js';
import type { StoredPhotograph } from './photograph-intake.js';
import { capturedTime, type CapturePlan, type PlannedPhotograph } from './plan-photographs.js';
import { remainingPhotographs, type SessionLimits, sessionUse, tooManyOfSession } from './session-limits.js';

/** The decisions that were made when the call arrived. */
export interface CaptureEntry {
  filing: Filing;
  /** Arrival number of the first photograph; that of the remark follows the last, then those of the facts. */
  firstArrival: number;
  /** Photographs already recorded: message key → id. */
  known: ReadonlyMap<string, string>;
  remarkKey: string | null;
  /** The remark already recorded under this key. */
  remarkBefore: RecordedRemark | undefined;
  /** True if all of it is already recorded: a message delivered twice. */
  sentAgain: boolean;
  /** Number of photographs that the session may still take. */
  remaining: number;
  /** Set if the session is full: nothing of the call is recorded. */
  refusal: ServiceError | undefined;
}

export interface TakenPhotograph {
  planned: PlannedPhotograph;
  stored: StoredPhotograph;
}

export interface CaptureRecord {
  command: CaptureCommand;
  plan: CapturePlan;
  entry: CaptureEntry;
  taken: readonly TakenPhotograph[];
  rejected: readonly Rejection[];
  limits: SessionLimits;
  now: number;
}

/** Writes the rows of a batch and returns the answer; `unused` are photographs that another call recorded first. */
export async function recordCapture(
  tx: Tx,
  record: CaptureRecord,
): Promise<{ answer: CaptureAnswer; unused: StoredPhotograph[] }> {
  const { command, plan, entry } = record;
  const warnings = new Warnings();
  warnings.add(...plan.warnings);
  if (command.details && !entry.sentAgain)
    warnings.add(...(await recordDetails(tx, record, command.details)));
  const recorded: RecordedPhotograph[] = [];
  const duplicates = duplicatesOf(plan.photographs, entry.known);
  const rejected = [...record.rejected];
  const unused: StoredPhotograph[] = [];
  // Other calls may have recorded photographs since this one arrived.
  const remaining =
    record.taken.length > 0 ? remainingPhotographs(record.limits, await sessionUse(tx, command)) : 0;
  const placed = record.taken.some(({ stored }) => stored.picture.camera?.place !== undefined);
  const property = placed ? await propertyPlace(tx, command) : undefined;
  for (const { planned, stored } of record.taken) {
    const area = entry.filing.photographArea(planned.capturedAt);
    const likeness = await likenessOf(tx, command, stored);
    const id = uuidV7({ msecs: record.now });
    const row = { id, area, stored, ...arrived(planned, entry), ...described(planned) };
    const full = recorded.length >= remaining;
    if (full || !(await insertPhotograph(tx, command, row))) {
      const known = duplicatesOf([planned], await knownPhotographs(tx, command, [planned.messageKey ?? '']));
      duplicates.push(...known);
      if (known.length === 0) rejected.push(tooManyOfSession(record.limits, planned.index));
      unused.push(stored);
      continue;
    }
    const path = `photographs[${planned.index}]`;
    if (likeness.inOtherSession) warnings.add({ ...SAME_AS_ELSEWHERE, path });
    for (const flaw of stored.picture.quality) warnings.add({ code: flaw, message: FLAWS[flaw], path });
    const { capturedAt } = planned;
    const differences = cameraDifferences(stored.picture.camera, { capturedAt, property });
    warnings.add(...differences.map((difference) => ({ ...difference, path })));
    const { original, picture } = stored;
    recorded.push({
      id,
      index: planned.index,
      area: area.name,
      sha256: original.sha256,
      bytes: original.bytes,
      width: picture.width,
      height: picture.height,
      ...capturedTime(planned),
      ...(likeness.sameContentAs === undefined ? {} : { sameContentAs: likeness.sameContentAs }),
    });
  }
  const remark = command.remark === undefined ? undefined : await recordRemark(tx, record, command.remark);
  const recordedFacts = await recordCallFacts(tx, record, [...recorded, ...duplicates], warnings);
  const { summary } = await summarise(tx, command.flowId, command.sessionId, command.skippedAreas);
  const area = areaOfCall(record, recorded[0]);
  const answer: CaptureAnswer = {
    sessionId: command.sessionId,
    area: area?.name ?? null,
    areaType: area?.type ?? null,
    ...(remark === undefined ? {} : { remark }),
    recorded,
    duplicates: duplicates.sort((one, other) => one.index - other.index),
    rejected: rejected.sort((one, other) => one.index - other.index),
    ...(recordedFacts === undefined ? {} : { recordedFacts }),
    warnings: warnings.list(),
    session: summary,
    executionId: command.executionId,
  };
  return { answer, unused };
}

/** Records details; details that exceed the size of the record are dropped with a warning. */
async function recordDetails(
  tx: Tx,
  { command, now }: CaptureRecord,
  change: DetailsChange,
): Promise<Warning[]> {
  try {
    await changeDetails(tx, command, change, now);
    return [];
  } catch (error) {
    if (!(error instanceof DetailsTooLarge)) throw error;
    return [
      { code: 'details_too_large', message: `${error.message} They were left as they are.`, path: 'details' },
    ];
  }
}

async function recordRemark(
  tx: Tx,
  { command, plan, entry, now }: CaptureRecord,
  text: string,
): Promise<RecordedRemark> {
  if (entry.remarkBefore) return entry.remarkBefore;
  const { remarkArea: area } = entry.filing;
  const id = uuidV7({ msecs: now });
  const arrival = entry.firstArrival + plan.photographs.length;
  const row = { id, area, text, arrival, recordedAt: plan.batchAt, messageKey: entry.remarkKey };
  if (await insertRemark(tx, command, row)) return { id, area: area.name };
  return (await knownRemark(tx, command, entry.remarkKey ?? ''))!;
}

/** Records the facts of the call. */
async function recordCallFacts(
  tx: Tx,
  { command, plan, entry, now }: CaptureRecord,
  photographs: readonly { index: number; id: string }[],
  warnings: Warnings,
): Promise<RecordedFact[] | undefined> {
  if (command.facts === undefined) return undefined;
  const place = {
    area: factArea(entry.filing, command, plan),
    recordedAt: plan.batchAt,
    firstArrival: entry.firstArrival + plan.photographs.length + (command.remark === undefined ? 0 : 1),
    now,
    photographs: new Map(photographs.map(({ index, id }) => [index, id])),
  };
  return recordFacts(tx, command, place, warnings);
}

/** Returns the area of the facts of a call: that of its remark, else that of a photograph taken at its instant. */
export const factArea = (filing: Filing, { remark }: CaptureCommand, { batchAt }: CapturePlan): Area =>
  remark === undefined ? filing.photographArea(batchAt) : filing.remarkArea;

const arrived = ({ index, capturedAt, source, messageKey }: PlannedPhotograph, entry: CaptureEntry) => ({
  capturedAt,
  source,
  messageKey,
  arrival: entry.firstArrival + index,
});

/** Returns the name and the caption that were sent; without a name, that of the file. */
function described({ sent: { name, caption, content } }: PlannedPhotograph) {
  const shown = name ?? (content.kind === 'stored' ? content.name : '');
  return { ...(shown === '' ? {} : { name: shown }), ...(caption === undefined ? {} : { caption }) };
}

const duplicatesOf = (
  photographs: readonly PlannedPhotograph[],
  known: ReadonlyMap<string, string>,
): DuplicatePhotograph[] =>
  photographs.flatMap(({ index, messageKey, messageId }) => {
    const id = messageKey === null ? undefined : known.get(messageKey);
    return id === undefined || messageId === undefined ? [] : [{ index, id, messageId }];
  });

/** Returns the area for the answer: the call's or the open one, else that of its photographs, remark or facts. */
function areaOfCall(
  { command, plan, entry: { filing } }: CaptureRecord,
  first: RecordedPhotograph | undefined,
) {
  if (filing.callArea) return filing.callArea;
  if (first) return filing.photographArea(Date.parse(first.capturedAt));
  if (command.remark !== undefined) return filing.remarkArea;
  return command.facts?.length ? factArea(filing, command, plan) : undefined;
}

const SAME_AS_ELSEWHERE = {
  code: 'same_picture_elsewhere',
  message: 'The same picture was sent in another inspection; check that it belongs to this one.',
};

const FLAWS: Readonly<Record<PictureWarning, string>> = {
  partly_read: 'The photograph is damaged and was read as far as it goes; send it again if you can.',
  too_large_to_draw:
    'The photograph is stored as it was sent, but decoding it takes too much memory: a placeholder is printed for it. Send it smaller or as JPEG.',
  too_dark: 'The photograph is very dark; take it again with more light if you can.',
  blurred: 'The photograph is blurred; hold still and take it again if you can.',
  tiny: 'The photograph is very small and will not show much in print; send it larger if you can.',
};
