import type { CaseCheck, CaseView, WholeCase } from '../../api/cases.js';
import { isoTime } from '../../common/iso-time.js';
import { recordedValue, recordText } from '../../executions/log/recorded-value.js';
import { callNamed } from '../../flows/engine/journal.js';
import type { CaseEntity } from './case.entity.js';
import type { CaseRecording } from './recording.js';

export function caseViewOf(row: CaseEntity): CaseView {
  const { id, flowId, name, calls, executionId, bytes, lastRunId, lastAt } = row;
  return {
    ...{ id, flowId, name, calls, executionId, bytes },
    checks: JSON.parse(row.checks) as CaseCheck[],
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    last:
      lastRunId === null || lastAt === null
        ? null
        : { runId: lastRunId, passed: row.lastPassed === 1, at: isoTime(lastAt) },
  };
}

/** Returns a case with what it recorded, as a trace shows it: masked and truncated. */
export function wholeCaseViewOf(row: CaseEntity, recording: CaseRecording): WholeCase {
  const { question, form, brought, remembered, uploads, before, calls } = recording;
  return {
    ...caseViewOf(row),
    question: recordText(question) ?? '',
    ...(form === undefined ? {} : { form: recordedValue(form) }),
    history: brought.length + remembered.length,
    files: uploads.map(({ name, mime, bytes = null }) => ({ name, mime, bytes })),
    before: recordText(before ?? undefined),
    recorded: calls.map(({ path }) => callNamed(path)),
  };
}
