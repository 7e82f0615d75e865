import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DatabaseReader } from '../../database/database-reader.js';
import { patiently } from '../../database/patiently.js';
import type { SqlReader } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore, type StoredBlob } from '../../storage/blob-store.js';
import type { PictureCaller } from '../decoding/picture-turns.js';
import { PictureWorkers } from '../decoding/picture-workers.js';

/** A photograph as it is to be printed; `turn` is 90, 180 or 270 degrees clockwise. */
export interface WantedPrint {
  readonly photographId: string;
  readonly turn: number;
}

const INSERT = `INSERT INTO turned_prints (id, photograph_id, turn, storage_key, sha256, bytes) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

const MISSING = `SELECT id FROM photographs WHERE id = ? AND rendition_key IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM turned_prints WHERE turned_prints.photograph_id = photographs.id AND turned_prints.turn = ?)`;

/** Whether the photograph has a print, but none that is turned so. */
export const lacksPrint = async (reader: SqlReader, { photographId, turn }: WantedPrint): Promise<boolean> =>
  turn !== 0 && (await reader.one(MISSING, [photographId, turn])) !== undefined;

/**
 * Prints of photographs that were turned (contract section 5): each made once, from the upright print, and kept, so that a
 * claim gives the same bytes whenever it is drawn. A photograph has three at most.
 */
@Injectable()
export class TurnedPrints {
  private readonly making = new Map<string, Promise<void>>();

  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly store: BlobStore,
    private readonly workers: PictureWorkers,
  ) {}

  /** Makes the print unless it is there, or is being made. Nothing is made of a photograph without a print. */
  async make(wanted: WantedPrint, caller: PictureCaller): Promise<void> {
    const name = `${wanted.photographId} ${wanted.turn}`;
    const made = this.making.get(name) ?? this.makeNow(wanted, caller);
    this.making.set(name, made);
    await made.finally(() => this.making.delete(name));
  }

  private async makeNow({ photographId, turn }: WantedPrint, caller: PictureCaller): Promise<void> {
    const sql = 'SELECT rendition_key AS key FROM photographs WHERE id = ?';
    const upright = await this.reader.one<{ key: string | null }>(sql, [photographId]);
    if (typeof upright?.key !== 'string' || !(await lacksPrint(this.reader, { photographId, turn }))) return;
    const blob = await this.turned(upright.key, turn, caller);
    const row = [randomUUID(), photographId, turn, blob.key, blob.sha256, blob.bytes];
    // When this fails the file stays: whether its row is durable may be unknown.
    const inserted = await patiently(() => this.gate.write((tx) => tx.run(INSERT, row)));
    if (inserted === 0) await this.store.remove(blob.key);
  }

  private async turned(uprightKey: string, turn: number, caller: PictureCaller): Promise<StoredBlob> {
    const draft = await this.store.draft();
    try {
      await this.store.withFiles([uprightKey], (pathOf) =>
        this.workers.turn(pathOf(uprightKey), draft.path, turn, caller),
      );
      return await this.store.keep(draft, 'renditions', { extension: '.jpg' });
    } catch (error) {
      await this.store.discard(draft);
      throw error;
    }
  }
}
