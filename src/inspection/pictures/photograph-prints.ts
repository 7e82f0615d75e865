import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DatabaseReader } from '../../database/database-reader.js';
import { patiently } from '../../database/patiently.js';
import type { SqlReader, SqlValue } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { BlobStore, type StoredBlob } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import type { PictureCaller } from './picture-slots.js';
import { PictureWorkers } from './picture-workers.js';
import { type Picture, FaultyPicture } from './picture.js';

/** A photograph as it is to be printed; `turn` is 0, 90, 180 or 270 degrees clockwise. */
export interface WantedPrint {
  readonly photographId: string;
  readonly turn: number;
}

const INSERT = `INSERT INTO turned_prints (id, photograph_id, turn, storage_key, sha256, bytes) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

const MISSING = `SELECT id FROM photographs WHERE id = ? AND rendition_key IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM turned_prints WHERE turned_prints.photograph_id = photographs.id AND turned_prints.turn = ?)`;

const ORIGINAL = 'SELECT original_key AS key, sha256, bytes FROM photographs WHERE id = ?';
const UPRIGHT = `SELECT rendition_key AS key, rendition_sha256 AS sha256, rendition_bytes AS bytes
  FROM photographs WHERE id = ? AND rendition_key IS NOT NULL`;
const TURNED = `SELECT storage_key AS key, sha256, bytes FROM turned_prints WHERE photograph_id = ? AND turn = ?`;

const REPLACE_UPRIGHT = `UPDATE photographs SET rendition_key = ?, rendition_sha256 = ?, rendition_bytes = ?
  WHERE id = ? AND rendition_key = ?`;
const REPLACE_TURNED = `UPDATE turned_prints SET storage_key = ?, sha256 = ?, bytes = ?
  WHERE photograph_id = ? AND turn = ? AND storage_key = ?`;

/** Returns true if the photograph has a print, but none with this turn. */
export const lacksPrint = async (reader: SqlReader, { photographId, turn }: WantedPrint): Promise<boolean> =>
  turn !== 0 && (await reader.one(MISSING, [photographId, turn])) !== undefined;

/**
 * Prints of photographs (contract section 5), at most four each. A turned print is made once from the upright print and
 * stored, so that every drawing of a claim gives the same bytes. A print whose stored bytes are damaged or missing is
 * made again from the original.
 */
@Injectable()
export class PhotographPrints {
  private readonly making = new Map<string, Promise<void>>();

  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly store: BlobStore,
    private readonly workers: PictureWorkers,
  ) {}

  /** Makes a turned print unless it exists or is being made. Does nothing for a photograph without a print. */
  async make(wanted: WantedPrint, caller: PictureCaller): Promise<void> {
    const name = `${wanted.photographId} ${wanted.turn}`;
    const made = this.making.get(name) ?? this.makeNow(wanted, caller);
    this.making.set(name, made);
    await made.finally(() => this.making.delete(name));
  }

  /**
   * Returns a print whose stored bytes match the record, and makes it again if necessary; undefined if the photograph has
   * none. Throws `StoredFileDamaged` if neither the print nor the original is sound.
   */
  async sound(wanted: WantedPrint, caller: PictureCaller): Promise<StoredBlob | undefined> {
    const recorded = await this.recorded(wanted);
    if (recorded === undefined || (await this.store.isSound(recorded))) return recorded;
    const made = await (wanted.turn === 0 ? this.uprightAgain(wanted, caller) : this.turned(wanted, caller));
    if (made === undefined) throw new StoredFileDamaged();
    return this.replace(wanted, recorded, made);
  }

  private async makeNow(wanted: WantedPrint, caller: PictureCaller): Promise<void> {
    if (!(await lacksPrint(this.reader, wanted))) return;
    const blob = await this.turned(wanted, caller);
    if (blob === undefined) return;
    const row = [randomUUID(), wanted.photographId, wanted.turn, blob.key, blob.sha256, blob.bytes];
    // Leave the file on failure: its row may have been committed.
    const inserted = await patiently(() => this.gate.write((tx) => tx.run(INSERT, row)));
    if (inserted === 0) await this.store.remove(blob.key);
  }

  private async recorded({ photographId, turn }: WantedPrint): Promise<StoredBlob | undefined> {
    const [sql, values]: [string, SqlValue[]] =
      turn === 0 ? [UPRIGHT, [photographId]] : [TURNED, [photographId, turn]];
    const row = await this.reader.one<StoredBlob>(sql, values);
    return row && { ...row, bytes: Number(row.bytes) };
  }

  private async turned(
    { photographId, turn }: WantedPrint,
    caller: PictureCaller,
  ): Promise<StoredBlob | undefined> {
    const upright = await this.sound({ photographId, turn: 0 }, caller);
    if (upright === undefined) return undefined;
    const { rendition } = await storePrint(this.store, (to) =>
      this.store.withSound(upright, ({ path }) => this.workers.turn(path, to, turn, caller)),
    );
    return rendition;
  }

  private async uprightAgain(
    { photographId }: WantedPrint,
    caller: PictureCaller,
  ): Promise<StoredBlob | undefined> {
    const original = await this.reader.one<StoredBlob>(ORIGINAL, [photographId]);
    if (original === undefined) return undefined;
    try {
      const { rendition } = await storePrint(this.store, (to) =>
        this.store.withSound(original, ({ path }) => this.workers.normalise(path, to, caller)),
      );
      return rendition;
    } catch (error) {
      if (error instanceof FaultyPicture) return undefined;
      throw error;
    }
  }

  /** Replaces the row of a damaged print, unless another call has replaced it meanwhile. */
  private async replace(
    wanted: WantedPrint,
    damaged: StoredBlob,
    { key, sha256, bytes }: StoredBlob,
  ): Promise<StoredBlob | undefined> {
    const { photographId, turn } = wanted;
    const [sql, place]: [string, SqlValue[]] =
      turn === 0 ? [REPLACE_UPRIGHT, [photographId]] : [REPLACE_TURNED, [photographId, turn]];
    const changed = await patiently(() =>
      this.gate.write((tx) => tx.run(sql, [key, sha256, bytes, ...place, damaged.key])),
    );
    await this.store.remove(changed === 1 ? damaged.key : key);
    return changed === 1 ? { key, sha256, bytes } : this.recorded(wanted);
  }
}

/** A picture, and its print in the store; without one if it is not `drawable`. */
export interface StoredPrint {
  readonly picture: Picture;
  readonly rendition?: StoredBlob;
}

/** Stores the print that `make` writes to the given path. If `make` throws, rethrows and stores nothing. */
export async function storePrint(
  store: BlobStore,
  make: (path: string) => Promise<Picture>,
): Promise<StoredPrint> {
  const draft = await store.draft();
  try {
    const picture = await make(draft.path);
    if (picture.drawable)
      return { picture, rendition: await store.keep(draft, 'renditions', { extension: '.jpg' }) };
    await store.discard(draft);
    return { picture };
  } catch (error) {
    await store.discard(draft);
    throw error;
  }
}
