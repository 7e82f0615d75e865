import { Injectable } from '@nestjs/common';
import type { CorrectedRecords, RenamedArea } from '../../api/corrections.js';
import { ApiKeys } from '../../auth/api-keys/api-keys.js';
import { Clock } from '../../common/clock.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { fieldsFingerprint } from '../../executions/calls/call-key.js';
import type { OwnSession } from '../access/session-access.js';
import { areaNamed } from '../areas/classify-area.js';
import type { ChangeRequest } from './change.js';
import { correctedRecords } from './corrected-views.js';
import {
  type KeyOfCorrection,
  storeOutcome,
  type KeyedCorrection,
  storedOutcome,
} from './correction-keys.js';
import { type CorrectionOrder, CorrectionService, type MadeCorrection } from './correction.service.js';
import { planRename, type Rename } from './plan-rename.js';
import { planChange } from './plan.js';
import { subjectOf, type SubjectKind } from './subject.js';

/** Corrections as calls of routes make them, by whoever may (contract section 5). */
@Injectable()
export class CallCorrections {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly apiKeys: ApiKeys,
    private readonly corrections: CorrectionService,
    private readonly clock: Clock,
  ) {}

  /** Corrects one record and answers it as it stands then; under an idempotency key once, with one answer. */
  async correct(
    own: OwnSession,
    kind: SubjectKind,
    id: string,
    request: ChangeRequest,
    key?: KeyOfCorrection,
  ): Promise<CorrectedRecords> {
    const { flowId, sessionId } = own;
    const session = { flowId, sessionId };
    const order: CorrectionOrder = {
      session,
      ...(await this.madeBy(own, request.reason)),
      plan: (tx, now) => {
        const target = async () => [(await subjectOf(tx, id, kind)) ?? missing(kind)];
        return planChange(tx, session, target, request.change, now);
      },
    };
    return this.once(own, order, { kind, id, request }, key);
  }

  async rename(
    own: OwnSession,
    rename: Rename,
    reason: string | undefined,
    key?: KeyOfCorrection,
  ): Promise<RenamedArea> {
    const { flowId, sessionId } = own;
    const session = { flowId, sessionId };
    const order: CorrectionOrder = {
      session,
      ...(await this.madeBy(own, reason)),
      plan: (tx) => planRename(tx, session, rename),
    };
    const made = await this.once(own, order, { rename, reason }, key);
    const [first] = [...made.photographs, ...made.remarks, ...made.facts];
    const areaType = first?.areaType ?? areaNamed(rename.to).type;
    return { ...session, area: rename.to, areaType, ...made };
  }

  /** The record as it stands, with its corrections. */
  async read(kind: SubjectKind, id: string): Promise<CorrectedRecords> {
    return correctedRecords(this.reader, [{ kind, id }]);
  }

  /**
   * Makes the first call under a key and stores its outcome with it; later calls get that outcome, whatever became of the
   * record since. Two at once wait for each other, as all corrections of a session do.
   */
  private async once(
    own: OwnSession,
    order: CorrectionOrder,
    request: object,
    call: KeyOfCorrection | undefined,
  ): Promise<MadeCorrection> {
    if (!call) return this.corrections.correct(order);
    const { isAdmin, apiKeyId } = own;
    const keyed: KeyedCorrection = {
      ...order.session,
      who: apiKeyId !== undefined ? `key:${apiKeyId}` : isAdmin ? 'admin' : 'chat',
      key: call.key,
      fingerprint: fieldsFingerprint(request),
    };
    try {
      const stored = await storedOutcome(this.reader, keyed, this.clock.now());
      if (stored) throw new MadeBefore(stored);
      const plan: CorrectionOrder['plan'] = async (tx, now) => {
        const meanwhile = await storedOutcome(tx, keyed, now);
        if (meanwhile) throw new MadeBefore(meanwhile);
        return order.plan(tx, now);
      };
      return await this.corrections.correct(
        { ...order, plan },
        { closing: (tx, made) => storeOutcome(tx, keyed, made, this.clock.now()) },
      );
    } catch (error) {
      if (!(error instanceof MadeBefore)) throw error;
      call.replayed();
      return error.outcome;
    }
  }

  private async madeBy({ isAdmin, apiKeyId }: OwnSession, reason: string | undefined) {
    const name = apiKeyId === undefined ? undefined : await this.apiKeys.findName(apiKeyId);
    const by = isAdmin ? 'admin' : (name ?? 'chat');
    const who = apiKeyId === undefined ? {} : { who: `key:${apiKeyId}` };
    return { note: { by, ...(reason ? { reason } : {}) }, ...who };
  }
}

/** Thrown out of the transaction, which has nothing to do. */
class MadeBefore extends Error {
  constructor(readonly outcome: MadeCorrection) {
    super('the correction was made under its key before');
  }
}

const missing = (kind: SubjectKind): never => {
  throw new NotFound(`This ${kind}`);
};
