import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { CaseCalls } from '../../api/case-terms.js';
import type { CaseCheck, CaseSettings } from '../../api/cases.js';
import { declareBudget, QuotaExceeded } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { NotFound, ServiceError } from '../../common/service-error.js';
import { removeUnlessCommitted } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore, type StoredBlob } from '../../storage/blob-store.js';
import { CaseBlobEntity, CaseEntity } from './case.entity.js';
import type { CaseRecording, RecordedCase } from './recording.js';

/** A case to be stored. */
export interface NewStoredCase {
  flowId: string;
  name: string;
  calls: CaseCalls;
  checks: readonly CaseCheck[];
  executionId: string | null;
  recorded: RecordedCase;
}

const KIND = 'cases';
const RECORDING = 0;

const NUMBER = declareBudget({
  name: 'cases of a flow',
  unit: 'rows',
  owner: 'flow',
  share: 1_000,
  beyond: '429 quota_exceeded',
  reason: 'One run takes at most as many; older ones can be deleted.',
});

const BYTES = declareBudget({
  name: 'stored copies of the cases of a flow',
  unit: 'bytes',
  owner: 'flow',
  share: 2 * 1024 * 1024 * 1024,
  beyond: '429 quota_exceeded',
  reason: 'Two hundred cases with two photographs of 5 MB each.',
});

const RETRY_SECONDS = 3_600;

/** Stores cases: a row, and blobs of their own with the sealed recording and the files, so that a case outlives its source. */
@Injectable()
export class CaseStore {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly blobs: BlobStore,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Stores a case. Throws 404 if the flow was deleted meanwhile, 429 beyond the budgets of the flow. */
  async create({ recorded, checks, ...settings }: NewStoredCase): Promise<CaseEntity> {
    const now = this.clock.now();
    const id = uuid({ msecs: now });
    const blobs = await this.put(id, recorded);
    const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0);
    const dates = { createdAt: now, updatedAt: now, lastRunId: null, lastPassed: null, lastAt: null };
    const row: CaseEntity = { id, ...settings, checks: JSON.stringify(checks), bytes, ...dates };
    try {
      await this.gate.write(async (tx) => {
        const flow = await tx.one('SELECT id FROM flows WHERE id = ?', [row.flowId]);
        if (!flow) throw new NotFound('A flow with this id');
        const stored = await tx.one<{ count: number; bytes: number | null }>(
          'SELECT COUNT(*) AS count, SUM(bytes) AS bytes FROM flow_cases WHERE flow_id = ?',
          [row.flowId],
        );
        if (Number(stored?.count) >= NUMBER.share) throw new QuotaExceeded(NUMBER, RETRY_SECONDS);
        if (Number(stored?.bytes ?? 0) + bytes > BYTES.share) throw new QuotaExceeded(BYTES, RETRY_SECONDS);
        await tx.repository(CaseEntity).insert(row);
        for (const { key, part } of blobs)
          await tx.repository(CaseBlobEntity).insert({ blobKey: key, caseId: id, part });
      });
      return row;
    } catch (error) {
      await removeUnlessCommitted(error, () => this.removeBlobs(blobs.map(({ key }) => key)));
      throw error;
    }
  }

  /** Returns a page, newest last. */
  list(flowId: string, limit: number, after = ''): Promise<CaseEntity[]> {
    const where = { flowId, id: MoreThan(after) };
    return this.reader.repository(CaseEntity).find({ where, order: { id: 'ASC' }, take: limit });
  }

  /** Throws 404. */
  async get(flowId: string, id: string): Promise<CaseEntity> {
    const row = await this.reader.repository(CaseEntity).findOneBy({ id, flowId });
    if (!row) throw new NotFound('The case');
    return row;
  }

  /** Throws 404. */
  async update(flowId: string, id: string, settings: CaseSettings): Promise<CaseEntity> {
    const { name, checks, calls } = settings;
    const changed = { name, checks: JSON.stringify(checks), ...(calls === undefined ? {} : { calls }) };
    await this.gate.write((tx) =>
      tx.repository(CaseEntity).update({ id, flowId }, { ...changed, updatedAt: this.clock.now() }),
    );
    return this.get(flowId, id);
  }

  /** Throws 404. */
  async remove(flowId: string, id: string): Promise<void> {
    await this.get(flowId, id);
    await this.removeAll([id]);
  }

  /** Deletes cases of deleted flows. Returns their number. */
  async sweep(): Promise<number> {
    const rows = await this.reader.all<{ id: string }>(
      'SELECT id FROM flow_cases WHERE NOT EXISTS (SELECT 1 FROM flows WHERE flows.id = flow_id) LIMIT 1000',
    );
    await this.removeAll(rows.map(({ id }) => id));
    return rows.length;
  }

  /** Reads what a case recorded, without its files. Throws `stored_file_damaged`. */
  async recording(id: string): Promise<CaseRecording> {
    const key = (await this.blobsOf(id)).get(RECORDING);
    const sealed = key === undefined ? undefined : await this.read(key, 'Its recording');
    if (sealed === undefined) throw missing('Its recording');
    const text = unseal(this.secrets.credentialsKey, sealed.toString('utf8'), placeOf(id));
    return JSON.parse(text) as CaseRecording;
  }

  /** Reads a case with its files. Throws `stored_file_damaged`. */
  async load(id: string): Promise<RecordedCase> {
    const recording = await this.recording(id);
    const keys = await this.blobsOf(id);
    const files = new Map<number, Uint8Array>();
    for (const { part, name } of recording.uploads) {
      if (part === undefined) continue;
      const key = keys.get(part);
      if (key === undefined) throw missing(`The file "${name}"`);
      files.set(part, await this.read(key, `The file "${name}"`));
    }
    return { recording, files };
  }

  private async put(
    id: string,
    { recording, files }: RecordedCase,
  ): Promise<(StoredBlob & { part: number })[]> {
    const stored: (StoredBlob & { part: number })[] = [];
    await this.blobs.requireSpace([...files.values()].reduce((sum, { length }) => sum + length, 0));
    try {
      const sealed = seal(this.secrets.credentialsKey, JSON.stringify(recording), placeOf(id));
      stored.push({ ...(await this.blobs.put(KIND, Buffer.from(sealed))), part: RECORDING });
      for (const [part, bytes] of files) stored.push({ ...(await this.blobs.put(KIND, bytes)), part });
      return stored;
    } catch (error) {
      await this.removeBlobs(stored.map(({ key }) => key));
      throw error;
    }
  }

  private async blobsOf(caseId: string): Promise<Map<number, string>> {
    const rows = await this.reader.repository(CaseBlobEntity).findBy({ caseId });
    return new Map(rows.map(({ part, blobKey }) => [part, blobKey]));
  }

  private async read(key: string, what: string): Promise<Buffer> {
    if (!(await this.blobs.exists(key))) throw missing(what);
    return this.blobs.read(key);
  }

  private async removeAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const keys = [...(await this.blobsOf(id)).values()];
      await this.gate.write(async (tx) => {
        await tx.repository(CaseEntity).delete({ id });
        await tx.repository(CaseBlobEntity).delete({ caseId: id });
      });
      await this.removeBlobs(keys);
    }
  }

  private async removeBlobs(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.blobs.remove(key);
  }
}

const placeOf = (id: string): string => `case ${id}`;

const missing = (what: string): ServiceError =>
  new ServiceError(
    'stored_file_damaged',
    `${what} is gone from the store of this service. Delete the case and record it again.`,
  );
