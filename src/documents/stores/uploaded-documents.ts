import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { v7 as uuidV7 } from 'uuid';
import { z } from 'zod';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { pageOfRows, readCursor } from '../../common/json/cursor.js';
import { NotFound } from '../../common/service-error.js';
import { removeUnlessCommitted } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import { DocumentStoreEntity } from './document-store.entity.js';
import { DocumentStores } from './document-stores.js';
import { DocumentEntity } from './document.entity.js';
import { type ArrivedDocument, IncomingDocuments } from './incoming-documents.js';
import { shownDocument } from './store-settings.js';

const columns = new EntityColumns(DocumentEntity);
const EVERYTHING = columns.selected(columns.without([]));

/** The documents of stores, which admins add, list and delete. */
@Injectable()
export class UploadedDocuments {
  constructor(
    private readonly stores: DocumentStores,
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly blobs: BlobStore,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Adds the documents of a call, which are made ready in the background. Throws 404, 400, 413, 415. */
  async add(request: Request, storeId: string) {
    await this.stores.existing(storeId);
    const incoming = new IncomingDocuments(request, this.blobs, this.config.maxMultipartBytes);
    try {
      return await this.keep(storeId, await incoming.keep());
    } catch (error) {
      await removeUnlessCommitted(error, () => incoming.discard());
      throw error;
    }
  }

  /** Lists documents, newest first. Throws 404. */
  async list(storeId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
    const { generation } = await this.stores.existing(storeId);
    const before = cursor === undefined ? [] : readCursor(cursor, z.tuple([z.string()]));
    const rows = await this.reader.all<DocumentEntity>(
      `SELECT ${EVERYTHING} FROM store_documents WHERE store_id = ? AND removed = 0
         ${before.length > 0 ? 'AND id < ?' : ''} ORDER BY id DESC LIMIT ?`,
      [storeId, ...before, limit + 1],
    );
    return pageOfRows(rows, limit, {
      shown: (row) => shownDocument(row, generation),
      position: ({ id }) => [id],
    });
  }

  /** Deletes a document for callers at once, its rows bit by bit. Returns false if there was none. */
  async remove(storeId: string, id: string): Promise<boolean> {
    const now = this.clock.now();
    const removed = await this.gate.write((tx) =>
      tx.run(
        `UPDATE store_documents SET removed = 1, state = 'queued', next_attempt_at = ?, lease_process = NULL,
           lease_until = NULL WHERE id = ? AND store_id = ? AND removed = 0`,
        [now, id, storeId],
      ),
    );
    return removed === 1;
  }

  private keep(storeId: string, arrived: readonly ArrivedDocument[]) {
    return this.gate.write(async (tx) => {
      const store = await tx.repository(DocumentStoreEntity).findOneBy({ id: storeId, removed: 0 });
      if (!store) throw new NotFound('A document store with this id');
      const now = this.clock.now();
      const rows = arrived.map(({ name, mime, sourceKey, url }) => ({
        id: uuidV7({ msecs: now }),
        ...{ storeId, name, mime, url, sourceKey, textKey: null, textLength: null },
        ...{ nextOffset: 0, chunks: 0, warnings: null, generation: store.generation, removed: 0 },
        ...{
          state: 'queued' as const,
          attempts: 0,
          nextAttemptAt: now,
          leaseProcess: null,
          leaseUntil: null,
        },
        ...{ error: null, errorCode: null, createdAt: now },
      }));
      await tx.repository(DocumentEntity).insert(rows);
      return rows.map((row) => shownDocument(row, store.generation));
    });
  }
}
