import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { type FiledRun, RunFiles, type StoredRunFile } from '../../executions/calls/run-files.js';
import type { EffectPlace, Journal } from '../../flows/engine/journal.js';
import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage, Upload } from '../../flows/engine/node-kind.js';
import { BlobStore } from '../../storage/blob-store.js';
import { type BytesOwner, StoredBytes } from '../../storage/stored-bytes.js';
import type { PredictionBody } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { isCaptured, type NotedInput, type NotedUpload, plainInput, takeNamed } from './noted-input.js';
import { RunFileEntity } from './run-file.entity.js';
import { callerOf } from './run-input.js';

/** An upload of an earlier call. Without bytes and address it is no longer stored. */
export type EarlierUpload = Omit<Upload, 'stored'>;

/** A call as it was made, with the chat as it was before it. */
export interface EarlierInput {
  body: Pick<
    PredictionBody,
    'question' | 'form' | 'vars' | 'startState' | 'otherOverrides' | 'history' | 'uploads'
  >;
  sessionId?: string;
  /** Messages of the chat before the call. */
  remembered: readonly ChatMessage[];
  state?: Record<string, Json>;
  uploads: readonly EarlierUpload[];
}

/** Waits until so many bytes may be read into memory. */
export type Hold = (bytes: number) => Promise<void>;

interface RecordedRun extends FiledRun {
  runId: string | null;
  question: string | null;
  startedAt: number;
  /** The execution whose answer it repeats, or whose question it answers. */
  continues: string | null;
}

/** The path of the input in the journal, which no node can have. */
export const INPUT_PATH = '@input';

/** Bytes of a file that are stored in the journal's row. */
const MOST_INLINE = 64 * 1024;

const KIND = 'inputs';
const BATCH = 200;
/** The age below which the sweep leaves a file: it may have been written before its run's record could be read. */
const YOUNG_MS = 3_600_000;

/**
 * Stores the inputs of runs that a record does not show whole: form, variables, files, the chat's state before. They are
 * sealed in the run's journal and deleted with it, so that a run can be repeated as it was. A plain question adds nothing.
 */
@Injectable()
export class RunInputs {
  constructor(
    private readonly blobs: BlobStore,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly journal: EffectJournal,
    private readonly files: RunFiles,
    private readonly memory: ChatMemory,
    private readonly stored: StoredBytes,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Stores the input beside the run, whose nodes have run when `over` resolves. Never rejects: a run does not fail because it
   * could not be repeated.
   */
  async note(
    call: PredictionCall,
    state: Record<string, Json> | undefined,
    journal: Journal,
    over: Promise<unknown>,
  ): Promise<void> {
    if (call.answers) return;
    const plain = plainInput(call, state);
    if (Object.keys(plain).length === 0 && call.body.uploads.length === 0) return;
    const place = journal.place(INPUT_PATH);
    try {
      const uploads = await this.notedUploads(call, place, over);
      const input: NotedInput = { ...plain, ...(uploads.length === 0 ? {} : { uploads }) };
      // Not awaited: a row that is not durable yet is written with the end of the run.
      journal.store(place, 'input', input as Json).catch(() => undefined);
    } catch (error) {
      this.logger.warn({ err: error, executionId: place.executionId }, 'the input of a run was not stored');
    }
  }

  /**
   * Returns the input of an execution; for a replay, or an answer to a question, that of the call that began it. `hold` is
   * called with the bytes of its files before they are read. Throws 404.
   */
  async read(executionId: string, hold: Hold): Promise<EarlierInput> {
    const run = await this.beginningOf(executionId);
    if (!run) throw new NotFound('The execution');
    const noted = await this.notedInput(run.runId ?? run.executionId);
    const uploads = await this.uploadsOf(run, noted.uploads ?? [], hold);
    const { form, sessionId, state } = noted;
    return {
      body: {
        question: noted.question ?? run.question ?? '',
        vars: new Map(noted.vars),
        startState: new Map(noted.startState),
        otherOverrides: new Map(noted.overrides),
        history: noted.brought ?? [],
        uploads: uploads.filter(({ bytes, url }) => bytes !== undefined || url !== undefined),
        ...(form === undefined ? {} : { form }),
      },
      remembered: await this.memory.historyBefore(run),
      uploads,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(state === undefined ? {} : { state }),
    };
  }

  /** Returns the `sessionId` of a run's first execution if it differs from the chat's id. */
  async sessionOf(runId: string): Promise<string | undefined> {
    return (await this.notedInput(runId)).sessionId;
  }

  /** Deletes files of runs whose records are gone. Returns their number. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let count = BATCH; count === BATCH;) {
      const rows = await this.reader.all<{ blobKey: string }>(
        `SELECT blob_key AS "blobKey" FROM run_files WHERE created_at < ? AND NOT EXISTS
           (SELECT 1 FROM executions WHERE executions.id = run_files.run_id OR executions.run_id = run_files.run_id)
         LIMIT ${BATCH}`,
        [this.clock.now() - YOUNG_MS],
      );
      // The file is deleted before its row, so that the next sweep finds one that could not be deleted.
      for (const { blobKey } of rows) await this.blobs.remove(blobKey);
      const removed = In(rows.map(({ blobKey }) => blobKey));
      await this.gate.write((tx) => tx.repository(RunFileEntity).delete({ blobKey: removed }), []);
      count = rows.length;
      swept += count;
    }
    return swept;
  }

  private async notedInput(runId: string): Promise<NotedInput> {
    const noted = (await this.journal.effectAt(runId, INPUT_PATH)) as NotedInput | undefined;
    return noted ?? {};
  }

  /** Returns the execution itself, or the stored one whose answer it repeats or whose question it answers. */
  private async beginningOf(executionId: string): Promise<RecordedRun | undefined> {
    const run = await this.reader.one<RecordedRun>(
      `SELECT id AS "executionId", flow_id AS "flowId", chat_id AS "chatId", run_id AS "runId", question,
         started_at AS "startedAt", COALESCE(replay_of, resumes) AS "continues"
       FROM executions WHERE id = ? AND kind = 'prediction'`,
      [executionId],
    );
    return run?.continues ? ((await this.beginningOf(run.continues)) ?? run) : run;
  }

  /** Stores the files of a call, except the pictures that the run has stored as photographs. */
  private async notedUploads(
    call: PredictionCall,
    { executionId, runId }: EffectPlace,
    over: Promise<unknown>,
  ): Promise<NotedUpload[]> {
    const { body, flow, chatId } = call;
    const owner = { flowId: flow.id, caller: callerOf(call) };
    const noted: NotedUpload[] = [];
    let captured: StoredRunFile[] | undefined;
    for (const upload of body.uploads) {
      if (!isCaptured(upload, flow.definition)) noted.push(await this.noted(upload, runId, owner));
      else {
        await over;
        captured ??= await this.files.find({ executionId, flowId: flow.id, chatId });
        const { bytes: _bytes, stored: _stored, ...elsewhere } = upload;
        noted.push(takeNamed(captured, upload.name) ? elsewhere : await this.noted(upload, runId, owner));
      }
    }
    return noted;
  }

  /** Stores a file; without its bytes if its owner has stored its share or the disk is nearly full. The run itself continues. */
  private async noted(
    { bytes, stored: _stored, ...noted }: Upload,
    runId: string,
    owner: BytesOwner,
  ): Promise<NotedUpload> {
    if (bytes === undefined || this.stored.refusal(owner)) return noted;
    if (bytes.length <= MOST_INLINE) return { ...noted, data: Buffer.from(bytes).toString('base64') };
    try {
      await this.blobs.requireSpace(bytes.length);
      const { key: blobKey } = await this.blobs.put(KIND, bytes);
      this.stored.charge(owner, bytes.length);
      const row = { blobKey, runId, createdAt: this.clock.now() };
      await this.gate.write((tx) => tx.repository(RunFileEntity).insert(row), []);
      return { ...noted, blobKey };
    } catch (error) {
      this.logger.warn({ err: error, runId }, 'a file of a run was not stored beside its record');
      return noted;
    }
  }

  private async uploadsOf(
    run: RecordedRun,
    noted: readonly NotedUpload[],
    hold: Hold,
  ): Promise<EarlierUpload[]> {
    const isElsewhere = ({ data, blobKey, url }: NotedUpload) => !data && !blobKey && !url;
    const elsewhere = noted.some(isElsewhere) ? await this.files.find(run) : [];
    const keys = noted.map((each) =>
      isElsewhere(each) ? takeNamed(elsewhere, each.name)?.blobKey : each.blobKey,
    );
    const sizes = await Promise.all(
      keys.map(async (key, index) =>
        key ? ((await this.blobs.size(key)) ?? 0) : (noted[index]!.data?.length ?? 0),
      ),
    );
    await hold(sizes.reduce((sum, size) => sum + size, 0));
    const uploads: EarlierUpload[] = [];
    for (const [index, { data, blobKey: _key, ...upload }] of noted.entries()) {
      const bytes = data === undefined ? await this.bytesOf(keys[index]) : Buffer.from(data, 'base64');
      uploads.push({ ...upload, ...(bytes === undefined ? {} : { bytes }) });
    }
    return uploads;
  }

  private async bytesOf(blobKey: string | undefined): Promise<Buffer | undefined> {
    if (blobKey === undefined || !(await this.blobs.exists(blobKey))) return undefined;
    return this.blobs.read(blobKey);
  }
}
