import { Injectable } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { Clock } from '../../common/clock.js';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { Credentials } from '../../flows/credentials/credentials.js';
import type { EmbeddingChoice } from '../../flows/models/embeddings/http-embedding-model.js';
import { DocumentStoreEntity } from './document-store.entity.js';
import { type DocumentStoreSettings, type NewDocumentStore, shownStore } from './store-settings.js';

/** Document stores (contract section 9), which admins create, change and delete. */
@Injectable()
export class DocumentStores {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
  ) {}

  /** Throws 400 if the id is taken, or if the credential does not exist or holds no key of a model. */
  async create({ id, name, embedding, chunk }: NewDocumentStore) {
    await this.check(embedding);
    const now = this.clock.now();
    const store: DocumentStoreEntity = {
      id: id ?? uuidV7({ msecs: now }),
      name,
      embedding: JSON.stringify(embedding),
      ...{ chunkSize: chunk.size, chunkOverlap: chunk.overlap },
      ...{ dimensions: null, generation: 1, removed: 0, createdAt: now, updatedAt: now },
    };
    await this.gate.write(async (tx) => {
      const stores = tx.repository(DocumentStoreEntity);
      if (await stores.existsBy({ id: store.id })) throw taken();
      await stores.insert(store);
    });
    return shownStore(store, 0);
  }

  /** Newest first. */
  async list() {
    const stores = await this.reader
      .repository(DocumentStoreEntity)
      .find({ where: { removed: 0 }, order: { id: 'DESC' } });
    const counts = await this.reader.all<{ storeId: string; documents: number }>(
      `SELECT store_id AS "storeId", count(*) AS documents FROM store_documents WHERE removed = 0 GROUP BY store_id`,
    );
    const documents = new Map(counts.map((row) => [row.storeId, row.documents]));
    return stores.map((store) => shownStore(store, documents.get(store.id) ?? 0));
  }

  async ids(): Promise<string[]> {
    const rows = await this.reader
      .repository(DocumentStoreEntity)
      .find({ select: { id: true }, where: { removed: 0 } });
    return rows.map(({ id }) => id);
  }

  /** Returns ids and names, oldest first. */
  async names(): Promise<{ id: string; name: string }[]> {
    const rows = await this.reader.repository(DocumentStoreEntity).find({
      select: { id: true, name: true },
      where: { removed: 0 },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map(({ id, name }) => ({ id, name }));
  }

  async find(id: string): Promise<DocumentStoreEntity | undefined> {
    return (await this.reader.repository(DocumentStoreEntity).findOneBy({ id, removed: 0 })) ?? undefined;
  }

  /** Throws 404. */
  async existing(id: string): Promise<DocumentStoreEntity> {
    return (await this.find(id)) ?? gone();
  }

  /**
   * Replaces the settings of a store. If the model or the chunk sizes change, all of its documents are embedded again and
   * none is found before that; otherwise failed documents are retried. Throws 404, 400.
   */
  async change(id: string, { name, embedding, chunk }: DocumentStoreSettings) {
    await this.check(embedding);
    const written = JSON.stringify(embedding);
    const [now, { size, overlap }] = [this.clock.now(), chunk];
    const store = await this.gate.write(async (tx) => {
      const changed = await tx.run(
        `UPDATE document_stores SET embedding = ?, chunk_size = ?, chunk_overlap = ?, generation = generation + 1,
           dimensions = NULL WHERE id = ? AND removed = 0 AND (embedding <> ? OR chunk_size <> ? OR chunk_overlap <> ?)`,
        [written, size, overlap, id, written, size, overlap],
      );
      const { affected } = await tx
        .repository(DocumentStoreEntity)
        .update({ id, removed: 0 }, { name, updatedAt: now });
      if (affected === 0) return gone();
      await queueAgain(tx, id, now, changed === 0);
      return tx.repository(DocumentStoreEntity).findOneBy({ id });
    });
    const documents = await this.reader.one<{ count: number }>(
      'SELECT count(*) AS count FROM store_documents WHERE store_id = ? AND removed = 0',
      [id],
    );
    return shownStore(store!, documents!.count);
  }

  /** Deletes a store and its documents for callers at once, their rows bit by bit. Returns false if there was none. */
  async remove(id: string): Promise<boolean> {
    const now = this.clock.now();
    return this.gate.write(async (tx) => {
      const removed = await tx.run('UPDATE document_stores SET removed = 1 WHERE id = ? AND removed = 0', [
        id,
      ]);
      if (removed === 0) return false;
      await tx.run(
        `UPDATE store_documents SET removed = 1, state = 'queued', next_attempt_at = ?, lease_process = NULL,
           lease_until = NULL WHERE store_id = ? AND removed = 0`,
        [now, id],
      );
      await forgetRemovedStore(tx, id);
      return true;
    });
  }

  private async check({ credentialId }: EmbeddingChoice): Promise<void> {
    if (credentialId === undefined) return;
    const credential = await this.credentials.find(credentialId);
    if (credential?.kind === 'api-key') return;
    const message =
      credential === undefined
        ? `there is no credential "${credentialId}"`
        : `is of the kind "${credential.kind}"; a model takes one of the kind "api-key"`;
    throw new InvalidRequest([{ path: 'embedding.credentialId', message }]);
  }
}

/** Deletes the row of a removed store once its last document is gone. */
export async function forgetRemovedStore(tx: Tx, id: string): Promise<void> {
  await tx.run(
    `DELETE FROM document_stores WHERE id = ? AND removed = 1
       AND NOT EXISTS (SELECT 1 FROM store_documents WHERE store_id = ?)`,
    [id, id],
  );
}

/** Queues documents again and ends the leases on them. */
async function queueAgain(tx: Tx, storeId: string, now: number, failedOnly: boolean): Promise<void> {
  await tx.run(
    `UPDATE store_documents SET state = 'queued', attempts = 0, error = NULL, error_code = NULL, next_attempt_at = ?, lease_process = NULL,
       lease_until = NULL WHERE store_id = ? AND removed = 0${failedOnly ? ` AND state = 'failed'` : ''}`,
    [now, storeId],
  );
}

const taken = (): InvalidRequest =>
  new InvalidRequest([{ path: 'id', message: 'is the id of another document store' }]);

function gone(): never {
  throw new NotFound('A document store with this id');
}
