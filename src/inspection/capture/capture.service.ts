import { Injectable } from '@nestjs/common';
import type { CaptureAnswer } from '../../api/inspections.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { patiently } from '../../database/patiently.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { WriteHooks } from '../../database/writes/write-hooks.js';
import { sessionKey } from '../../database/writes/write-keys.js';
import { type BytesOwner, StoredBytes } from '../../storage/stored-bytes.js';
import { knownType } from '../areas/known-type.js';
import { detailsGrowth } from '../details/details-rows.js';
import { unrecordedFacts } from '../facts/record-facts.js';
import { SessionChanges, messageKey } from '../session.js';
import type { CaptureCommand, PhotographContent, Rejection } from './capture-command.js';
import { enterSession, knownRemark, storePlace, knownPhotographs } from './capture-records.js';
import { fileCapture, storedAs } from './file-capture.js';
import { type FreshParts, useWith } from './fresh-parts.js';
import { PhotographIntake, type StoredPhotograph, tooManyPhotographs } from './photograph-intake.js';
import { type CapturePlan, planCapture } from './plan-photographs.js';
import { type CaptureEntry, factArea, recordCapture, type TakenPhotograph } from './record-capture.js';
import { refusalOfFull, remainingPhotographs, sessionUse, tooManyOfSession } from './session-limits.js';

/** Hooks into the two transactions of a capture: the HTTP route opens and settles the record of its call in them. */
interface CaptureHooks extends WriteHooks<CaptureAnswer> {
  /** Called when the first transaction is durable. */
  opened?(): void;
}

/** Photographs of one batch that are processed concurrently. */
const AT_ONCE = 4;

/**
 * Records photographs, remarks and facts as they arrive (description section 3: "recorded immediately against the current
 * area"; contract section 5). Resolves the current area when the call arrives, stores the bytes, then commits the rows in
 * one transaction, and only then answers.
 */
@Injectable()
export class CaptureService {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly gate: WriteGate,
    private readonly intake: PhotographIntake,
    private readonly stored: StoredBytes,
    private readonly changes: SessionChanges,
  ) {}

  /** Records a batch. Throws 422 `no_usable_photograph` if all photographs are rejected and there is no remark or fact. */
  async capture(command: CaptureCommand, hooks: CaptureHooks = {}): Promise<CaptureAnswer> {
    const plan = planCapture(command, this.config.maxPhotos);
    const touched = [sessionKey(command.sessionId), ...(hooks.touches ?? [])];
    const entry = await this.gate.write(async (tx) => {
      await hooks.opening?.(tx);
      return this.enter(tx, command, plan);
    }, touched);
    hooks.opened?.();
    if (entry.refusal) {
      await this.intake.discard(contentsOf(command));
      throw entry.refusal;
    }
    const { taken, rejected } = await this.takeAll(command, plan, entry);
    this.stored.charge(ownerOf(command), bytesOf(taken));
    const inUse = new Set(taken.map(({ stored }) => stored.original.key));
    await this.intake.discard(contentsOf(command), inUse);
    const refusal = command.signal?.aborted
      ? (command.signal.reason as Error)
      : isUseless(command, taken.length + entry.known.size, rejected) && noUsablePhotograph(rejected);
    if (refusal) {
      await this.dropAll(taken.map(({ stored }) => stored));
      throw refusal;
    }
    let refused: ServiceError | undefined;
    const refuse = (error: ServiceError): never => {
      refused = error;
      throw error;
    };
    const settle = async (tx: Tx) => {
      const now = this.clock.now();
      const recorded = await recordCapture(tx, {
        command,
        plan,
        entry,
        taken,
        rejected,
        limits: this.config,
        now,
      });
      const { answer } = recorded;
      const usable = answer.recorded.length + answer.duplicates.length;
      const full = entry.sentAgain ? undefined : refusalOfFull(this.config, await sessionUse(tx, command));
      if (full) return refuse(full);
      if (isUseless(command, usable, answer.rejected)) return refuse(noUsablePhotograph(answer.rejected));
      await hooks.closing?.(tx, answer);
      return recorded;
    };
    const { answer, unused } = await patiently(() => this.gate.write(settle, touched)).catch(
      async (error: unknown) => {
        // Leave the files on another failure: their rows may have been committed.
        if (error === refused) await this.dropAll(taken.map(({ stored }) => stored));
        throw error;
      },
    );
    this.changes.announce(command);
    // The rows are committed even if the bucket is unreachable here; `storage:audit` finds files that no row names.
    for (const photograph of unused) await this.intake.drop(photograph).catch(() => undefined);
    return answer;
  }

  private async enter(tx: Tx, command: CaptureCommand, plan: CapturePlan): Promise<CaptureEntry> {
    const { facts = [] } = command;
    const arrivals = plan.photographs.length + (command.remark === undefined ? 0 : 1) + facts.length;
    const now = this.clock.now();
    const { place, firstArrival } = await enterSession(tx, command, arrivals, now);
    const { area } = command;
    const isNamedAgain = area !== undefined && command.areaType === undefined && !storedAs(area, place);
    const typeBefore = isNamedAgain ? await knownType(tx, command, area) : undefined;
    const filing = fileCapture(place, {
      ...(command.area === undefined ? {} : { area: command.area }),
      ...(command.areaType === undefined ? {} : { areaType: command.areaType }),
      ...(typeBefore === undefined ? {} : { knownType: typeBefore }),
      hasRemark: command.remark !== undefined,
      remarkAt: plan.batchAt,
    });
    const keys = plan.photographs.flatMap((photograph) => photograph.messageKey ?? []);
    const known = await knownPhotographs(tx, command, keys);
    const remarkKey =
      command.messageId === undefined || command.remark === undefined
        ? null
        : messageKey('remark', `${command.messageId}\0${command.remark}`, 0);
    const remarkBefore = remarkKey === null ? undefined : await knownRemark(tx, command, remarkKey);
    const fresh: FreshParts = {
      photographs: plan.photographs.filter(({ messageKey: key }) => key === null || !known.has(key)),
      remark: remarkBefore === undefined ? command.remark : undefined,
      facts: await unrecordedFacts(tx, command),
      detailsGrowth: command.details ? await detailsGrowth(tx, command, command.details) : 0,
    };
    const sentAgain =
      arrivals > 0 &&
      fresh.photographs.length === 0 &&
      fresh.remark === undefined &&
      fresh.facts.length === 0;
    const use = await sessionUse(tx, command);
    const quota = plan.photographs.length > 0 ? this.stored.refusal(ownerOf(command)) : undefined;
    const after = useWith(use, fresh, { filing, factArea: factArea(filing, command, plan) });
    const refusal = sentAgain ? undefined : (quota ?? refusalOfFull(this.config, after));
    // A message delivered twice must not reopen an earlier area.
    const moves = command.area !== undefined || command.remark !== undefined;
    if (moves && !sentAgain && !refusal) await storePlace(tx, command, filing.next);
    const remaining = remainingPhotographs(this.config, use);
    return { filing, firstArrival, known, remarkKey, remarkBefore, sentAgain, remaining, refusal };
  }

  /** Stores the bytes of new photographs, a few at a time. Stores none if an error of the service occurs. */
  private async takeAll(
    command: CaptureCommand,
    plan: CapturePlan,
    entry: CaptureEntry,
  ): Promise<{ taken: TakenPhotograph[]; rejected: Rejection[] }> {
    const taken: TakenPhotograph[] = [];
    const rejected = beyond(command, plan.photographs.length);
    const fresh = plan.photographs.filter(({ messageKey: key }) => key === null || !entry.known.has(key));
    rejected.push(...fresh.slice(entry.remaining).map(({ index }) => tooManyOfSession(this.config, index)));
    const queue = fresh.slice(0, entry.remaining).values();
    const errors: unknown[] = [];
    const { flowId, caller: who } = ownerOf(command);
    const caller = { who, chat: `${flowId} ${command.sessionId}` };
    const work = async () => {
      for (const planned of queue) {
        if (errors.length > 0 || command.signal?.aborted) return;
        try {
          const intake = await this.intake.take(planned.sent, caller, command.signal);
          if ('fault' in intake) rejected.push({ index: planned.index, ...intake.fault });
          else taken.push({ planned, stored: intake.stored });
        } catch (error) {
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (errors.length > 0) {
      await this.dropAll(taken.map(({ stored }) => stored));
      await this.intake.discard(contentsOf(command));
      throw errors[0];
    }
    const byIndex = (one: { index: number }, other: { index: number }) => one.index - other.index;
    return {
      taken: taken.sort((one, other) => byIndex(one.planned, other.planned)),
      rejected: rejected.sort(byIndex),
    };
  }

  private async dropAll(photographs: readonly StoredPhotograph[]): Promise<void> {
    for (const photograph of photographs) await this.intake.drop(photograph);
  }
}

const ownerOf = ({ flowId, who = flowId }: CaptureCommand): BytesOwner => ({ flowId, caller: who });

const bytesOf = (taken: readonly TakenPhotograph[]): number =>
  taken.reduce((sum, { stored }) => sum + stored.original.bytes + (stored.rendition?.bytes ?? 0), 0);

const contentsOf = ({ photographs }: CaptureCommand): PhotographContent[] =>
  photographs.map(({ content }) => content);

const beyond = ({ photographs }: CaptureCommand, most: number): Rejection[] =>
  photographs.slice(most).map((_, offset) => ({ index: most + offset, ...tooManyPhotographs(most) }));

/** Returns true if nothing of a call can be recorded; `usable` counts its photographs that are recorded. */
const isUseless = (command: CaptureCommand, usable: number, rejected: readonly Rejection[]): boolean =>
  !command.neverRefuse &&
  command.remark === undefined &&
  !command.facts?.length &&
  command.details === undefined &&
  rejected.length > 0 &&
  usable === 0;

const noUsablePhotograph = (rejected: readonly Rejection[]): ServiceError =>
  new ServiceError(
    'no_usable_photograph',
    'None of the photographs can be used; rejected lists the reasons. Send others.',
    { members: { rejected } },
  );
