import { Injectable } from '@nestjs/common';
import type { CorrectedRecords, RenamedArea } from '../../api/corrections.js';
import type { UndoneThings } from '../../api/things.js';
import { ApiKeys } from '../../auth/api-keys/api-keys.js';
import { Clock } from '../../common/clock.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlReader } from '../../database/tx.js';
import type { WriteHooks } from '../../database/writes/write-hooks.js';
import { fieldsFingerprint } from '../../executions/calls/call-key.js';
import type { OwnSession } from '../access/session-access.js';
import { areaNamed } from '../areas/classify-area.js';
import type { ChangeRequest } from './change.js';
import { correctedRecords } from './corrected-views.js';
import {
  decodeOutcome,
  encodeOutcome,
  type KeyedCorrection,
  type KeyOfCorrection,
  storedOutcome,
  storeOutcome,
} from './correction-keys.js';
import {
  type CorrectionOrder,
  CorrectionService,
  type MadeCorrection,
  type UndoOrder,
} from './correction.service.js';
import { planRename, type Rename } from './plan-rename.js';
import { planChange } from './plan.js';
import { subjectOf, type SubjectKind } from './subject.js';

/** Corrections through routes (contract section 5). */
@Injectable()
export class CallCorrections {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly apiKeys: ApiKeys,
    private readonly corrections: CorrectionService,
    private readonly clock: Clock,
  ) {}

  /** Corrects one record and returns it as corrected; calls with the same idempotency key get the first answer. */
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
    return this.correctOnce(own, order, { kind, id, request }, key);
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
    const made = await this.correctOnce(own, order, { rename, reason }, key);
    const [first] = [...made.photographs, ...made.remarks, ...made.facts];
    const areaType = first?.areaType ?? areaNamed(rename.to).type;
    return { ...session, area: rename.to, areaType, ...made };
  }

  /** Undoes the latest `count` executions; calls with the same idempotency key get the first answer. */
  async undo(own: OwnSession, count: number, key?: KeyOfCorrection): Promise<UndoneThings> {
    const { flowId, sessionId } = own;
    const order: UndoOrder = {
      ...{ session: { flowId, sessionId }, count },
      ...(await this.madeBy(own, undefined)),
    };
    const keyed = key && this.keyed(own, { undo: count }, key);
    return this.once(keyed, UNDONE, (hooks) => this.corrections.undo(order, hooks));
  }

  /** Returns the record with its corrections. */
  async read(kind: SubjectKind, id: string): Promise<CorrectedRecords> {
    return correctedRecords(this.reader, [{ kind, id }]);
  }

  private correctOnce(
    own: OwnSession,
    order: CorrectionOrder,
    request: object,
    key: KeyOfCorrection | undefined,
  ): Promise<MadeCorrection> {
    const keyed = key && this.keyed(own, request, key);
    return this.once(keyed, CORRECTED, (hooks) => this.corrections.correct(order, hooks));
  }

  private keyed(
    { flowId, sessionId, isAdmin, apiKeyId }: OwnSession,
    request: object,
    call: KeyOfCorrection,
  ) {
    const who = apiKeyId !== undefined ? `key:${apiKeyId}` : isAdmin ? 'admin' : 'chat';
    const fingerprint = fieldsFingerprint(request);
    return { flowId, sessionId, who, key: call.key, fingerprint, replayed: () => call.replayed() };
  }

  /**
   * Makes the correction for the first call under a key and stores its outcome. Later calls get that outcome, even if the
   * record has changed since. Concurrent calls wait for each other, like all corrections of a session.
   */
  private async once<Made>(
    keyed: (KeyedCorrection & { replayed(): void }) | undefined,
    stored: StoredForm<Made>,
    make: (hooks: WriteHooks<Made>) => Promise<Made>,
  ): Promise<Made> {
    if (!keyed) return make({});
    const find = async (reader: SqlReader) => {
      const text = await storedOutcome(reader, keyed, this.clock.now());
      if (text !== undefined) throw new MadeBefore(await stored.decode(reader, text));
    };
    try {
      await find(this.reader);
      return await make({
        opening: find,
        closing: (tx, made) => storeOutcome(tx, keyed, stored.encode(made), this.clock.now()),
      });
    } catch (error) {
      if (!(error instanceof MadeBefore)) throw error;
      keyed.replayed();
      return error.outcome as Made;
    }
  }

  private async madeBy({ isAdmin, apiKeyId }: OwnSession, reason: string | undefined) {
    const name = apiKeyId === undefined ? undefined : await this.apiKeys.findName(apiKeyId);
    const by = isAdmin ? 'admin' : (name ?? 'chat');
    const who = apiKeyId === undefined ? {} : { who: `key:${apiKeyId}` };
    return { note: { by, ...(reason ? { reason } : {}) }, ...who };
  }
}

/** The form in which an outcome is stored under its key. */
interface StoredForm<Made> {
  encode(made: Made): string;
  decode(reader: SqlReader, text: string): Made | Promise<Made>;
}

const CORRECTED: StoredForm<MadeCorrection> = { encode: encodeOutcome, decode: decodeOutcome };
const UNDONE: StoredForm<UndoneThings> = {
  encode: (made) => JSON.stringify(made),
  decode: (_, text) => JSON.parse(text) as UndoneThings,
};

/** Thrown to roll back the transaction of a call whose key has an outcome already. */
class MadeBefore extends Error {
  constructor(readonly outcome: unknown) {
    super('the correction was made under its key before');
  }
}

const missing = (kind: SubjectKind): never => {
  throw new NotFound(`This ${kind}`);
};
