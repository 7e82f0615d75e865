import { v7 as uuidV7 } from 'uuid';
import { Warnings } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import { summarise } from '../session-summary.js';
import type { PictureWarning } from '../photos/picture.js';
import type {
  CaptureAnswer,
  CaptureCommand,
  DuplicatePhotograph,
  RecordedPhotograph,
  Rejection,
} from './capture-command.js';
import { insertPhotograph, insertRemark, knownPhotographs, likenessOf } from './capture-records.js';
import type { Filing } from './file-capture.js';
import type { StoredPhotograph } from './photograph-intake.js';
import { capturedTime, type CapturePlan, type PlannedPhotograph } from './plan-photographs.js';

/** What was decided when the call arrived. */
export interface CaptureEntry {
  filing: Filing;
  /** Number of arrival of the first photograph; the remark's follows the last. */
  firstArrival: number;
  /** Photographs that were recorded before: message key → id. */
  known: ReadonlyMap<string, string>;
  remarkKey: string | null;
  knownRemark: boolean;
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
  now: number;
}

/** Writes the rows of a batch and says what the answer will say; `unused` is what another call had recorded first. */
export async function recordCapture(
  tx: Tx,
  record: CaptureRecord,
): Promise<{ answer: CaptureAnswer; unused: StoredPhotograph[] }> {
  const { command, plan, entry } = record;
  const warnings = new Warnings();
  warnings.add(...plan.warnings);
  const recorded: (RecordedPhotograph & { areaKey: string })[] = [];
  const duplicates = duplicatesOf(plan.photographs, entry.known);
  const unused: StoredPhotograph[] = [];
  for (const { planned, stored } of record.taken) {
    const area = entry.filing.photographArea(planned.capturedAt);
    const likeness = await likenessOf(tx, command, stored);
    const id = uuidV7({ msecs: record.now });
    const row = { id, area, stored, ...placed(planned, entry), ...described(planned) };
    if (!(await insertPhotograph(tx, command, row))) {
      const known = await knownPhotographs(tx, command, [planned.messageKey ?? '']);
      duplicates.push(...duplicatesOf([planned], known));
      unused.push(stored);
      continue;
    }
    const path = `photographs[${planned.index}]`;
    if (likeness.inOtherSession) warnings.add({ ...SAME_AS_ELSEWHERE, path });
    for (const flaw of stored.picture.quality) warnings.add({ code: flaw, message: FLAWS[flaw], path });
    const { original, picture } = stored;
    recorded.push({
      id,
      index: planned.index,
      area: area.name,
      areaKey: area.key,
      sha256: original.sha256,
      bytes: original.bytes,
      width: picture.width,
      height: picture.height,
      ...capturedTime(planned),
      ...(likeness.sameContentAs === undefined ? {} : { sameContentAs: likeness.sameContentAs }),
    });
  }
  if (command.remark !== undefined && !entry.knownRemark) await recordRemark(tx, record, command.remark);
  const { summary, names } = await summarise(tx, command.flowId, command.sessionId, command.skippedAreas);
  const area = areaOfCall(entry.filing, command, recorded[0]);
  const answer: CaptureAnswer = {
    sessionId: command.sessionId,
    area: area === undefined ? null : (names.get(area.key) ?? area.name),
    areaType: area?.type ?? null,
    recorded: recorded.map(({ areaKey, ...each }) => ({ ...each, area: names.get(areaKey) ?? each.area })),
    duplicates: duplicates.sort((one, other) => one.index - other.index),
    rejected: [...record.rejected],
    warnings: warnings.list(),
    session: summary,
    executionId: command.executionId,
  };
  return { answer, unused };
}

async function recordRemark(
  tx: Tx,
  { command, plan, entry, now }: CaptureRecord,
  text: string,
): Promise<void> {
  await insertRemark(tx, command, {
    id: uuidV7({ msecs: now }),
    area: entry.filing.remarkArea,
    text,
    recordedAt: plan.batchAt,
    arrival: entry.firstArrival + plan.photographs.length,
    messageKey: entry.remarkKey,
  });
}

const placed = ({ index, capturedAt, source, messageKey }: PlannedPhotograph, entry: CaptureEntry) => ({
  capturedAt,
  source,
  messageKey,
  arrival: entry.firstArrival + index,
});

const described = ({ sent }: PlannedPhotograph) => ({
  ...(sent.name === undefined ? {} : { name: sent.name }),
  ...(sent.caption === undefined ? {} : { caption: sent.caption }),
});

const duplicatesOf = (
  photographs: readonly PlannedPhotograph[],
  known: ReadonlyMap<string, string>,
): DuplicatePhotograph[] =>
  photographs.flatMap(({ index, messageKey, messageId }) => {
    const id = messageKey === null ? undefined : known.get(messageKey);
    return id === undefined || messageId === undefined ? [] : [{ index, id, messageId }];
  });

/** The area that the answer names: the call's own or the open one, else where its photographs or its remark went. */
function areaOfCall(filing: Filing, command: CaptureCommand, first: RecordedPhotograph | undefined) {
  if (filing.callArea) return filing.callArea;
  if (first) return filing.photographArea(Date.parse(first.capturedAt));
  return command.remark === undefined ? undefined : filing.remarkArea;
}

const SAME_AS_ELSEWHERE = {
  code: 'same_picture_elsewhere',
  message: 'The same picture was sent in another inspection; check that it belongs to this one.',
};

const FLAWS: Readonly<Record<PictureWarning, string>> = {
  partly_read: 'The photograph is damaged and was read as far as it goes; send it again if you can.',
  too_large_to_draw:
    'The photograph is kept as it was sent, but decoding it takes too much memory: a placeholder is printed for it. Send it smaller or as JPEG.',
  too_dark: 'The photograph is very dark; take it again with more light if you can.',
  blurred: 'The photograph is blurred; hold still and take it again if you can.',
  tiny: 'The photograph is very small and will not show much in print; send it larger if you can.',
};
