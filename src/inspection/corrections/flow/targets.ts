import type { Change } from '../../../api/corrections.js';
import { NotFound } from '../../../common/service-error.js';
import type { Tx } from '../../../database/tx.js';
import type { SessionAddress } from '../../session.js';
import type { Targets } from '../plan.js';
import { NothingToCorrect } from '../refusals.js';
import { subjectOf, type SubjectRow, SUBJECTS, subjectsWhere } from '../subject.js';

/** `last`, `last-batch`, the newest fact of a kind, or an id; `count` applies to `last`. */
export interface Target {
  readonly target: string;
  readonly count: number;
  readonly change: Change;
}

const PHOTOGRAPHS = SUBJECTS.find(({ kind }) => kind === 'photograph')!;
const REMARKS = SUBJECTS.find(({ kind }) => kind === 'remark')!;
const FACTS = SUBJECTS.find(({ kind }) => kind === 'fact')!;
const PENDING = 'session_id = ? AND flow_id = ? AND claim_id IS NULL AND withdrawn_at IS';

/**
 * Finds the targets of a flow's correction in its own session: the newest pending photographs, those of the newest call,
 * the newest remark, the newest fact of a kind, or the record of an id. A correction that restores a record looks among
 * withdrawn ones.
 */
export const targetsOf =
  ({ flowId, sessionId }: SessionAddress, { target, count, change }: Target): Targets =>
  async (tx) => {
    const values = [sessionId, flowId];
    const withdrawn = change.withdrawn === false ? 'NOT NULL' : 'NULL';
    if (target === 'last') {
      const where = `${PENDING} ${withdrawn} ORDER BY arrival DESC, id DESC LIMIT ${count}`;
      return some(await subjectsWhere(tx, PHOTOGRAPHS, where, values));
    }
    if (target === 'last-batch') {
      const where = `${PENDING} ${withdrawn} AND (execution_id, received_at) IN (SELECT execution_id, received_at
        FROM photographs WHERE ${PENDING} ${withdrawn} ORDER BY arrival DESC, id DESC LIMIT 1) ORDER BY arrival, id`;
      return some(await subjectsWhere(tx, PHOTOGRAPHS, where, [...values, ...values]));
    }
    if (target === 'last-remark') {
      const where = `${PENDING} ${withdrawn} ORDER BY arrival DESC, id DESC LIMIT 1`;
      return some(await subjectsWhere(tx, REMARKS, where, values), NONE['remark']);
    }
    const kind = /^last-(observation|reading|keys|alarm)$/.exec(target)?.[1];
    if (kind !== undefined) {
      const where = `${PENDING} ${withdrawn} AND kind = ? ORDER BY arrival DESC, id DESC LIMIT 1`;
      return some(await subjectsWhere(tx, FACTS, where, [...values, kind]), NONE[kind]);
    }
    return [await ofId(tx, { flowId, sessionId }, target)];
  };

async function ofId(tx: Tx, { flowId, sessionId }: SessionAddress, id: string): Promise<SubjectRow> {
  const found = await subjectOf(tx, id);
  if (found?.flowId === flowId && found.sessionId === sessionId) return found;
  throw new NotFound('A photograph, remark or fact of this id in this inspection');
}

/** The message for each kind of record if none is pending. */
const NONE: Readonly<Record<string, string>> = {
  remark: 'There is no remark that could be corrected: none is pending.',
  observation: 'There is no observation that could be corrected: none is pending.',
  reading: 'There is no reading that could be corrected: none is pending.',
  keys: 'There are no keys that could be corrected: none are pending.',
  alarm: 'There is no alarm that could be corrected: none is pending.',
};

function some(
  found: readonly SubjectRow[],
  none = 'There is no photograph that could be corrected: none is pending.',
): readonly SubjectRow[] {
  if (found.length > 0) return found;
  throw new NothingToCorrect(none);
}
