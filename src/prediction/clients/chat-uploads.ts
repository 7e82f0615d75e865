import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, Like, MoreThan } from 'typeorm';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { type Fault, InvalidRequest, ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { chatKey } from '../../database/writes/write-keys.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { Chat } from '../memory/chat-memory.js';
import { ChatFile } from './chat-file.entity.js';
import type { BlobKind } from './incoming-files.js';

/** Time for which a photograph waits for its message: as long as an answer is stored, so that a retry finds it. */
const WAITS_MS = 24 * 3_600_000;

const BATCH = 200;

const KIND: BlobKind = 'uploads';

const STORED_HERE = Like(`${KIND}/%`);

type StoredContent = Pick<Upload, 'name' | 'mime' | 'bytes'>;

const ID_LENGTH = 36;

/**
 * Photographs uploaded one by one before their message: on a weak network each is retried alone, and the message is
 * small. The message names them as uploads of type `stored-file`.
 */
@Injectable()
export class ChatUploads {
  constructor(
    private readonly blobs: BlobStore,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the uploads of a message with the bytes of stored ones, each read once. `hold` is called with their sizes
   * first and throws beyond the memory budget. Their day of storage begins again, so that a retry of the call finds
   * them as long as its answer is stored. Throws 400 with the path of each missing file, 413 if they are too large
   * together.
   */
  async fill(chat: Chat, uploads: readonly Upload[], hold: (bytes: number) => void): Promise<Upload[]> {
    const named = new Set(uploads.flatMap(({ stored }) => stored ?? []));
    if (named.size === 0) return [...uploads];
    const rows = await this.rowsOf(chat, named);
    const missing = uploads.flatMap(({ stored }, index) =>
      stored === undefined || rows.has(stored) ? [] : [gone(index)],
    );
    if (missing.length > 0) throw new InvalidRequest(missing.slice(0, 100));
    // Counted for each mention, because it is processed as often.
    let left = this.config.maxMultipartBytes;
    for (const { stored = '' } of uploads) left -= rows.get(stored)?.bytes ?? 0;
    if (left < 0) throw tooMuch(this.config.maxMultipartBytes);
    for (const { bytes } of rows.values()) hold(bytes);
    await this.extendStorage([...rows.values()]);
    const contents = new Map<string, StoredContent>();
    for (const [stored, row] of rows) contents.set(stored, await this.contentOf(row));
    return uploads.map((upload) =>
      upload.stored === undefined ? upload : { ...upload, ...contents.get(upload.stored) },
    );
  }

  /** Deletes photographs that waited for a day. Returns their number. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let count = BATCH; count === BATCH; swept += count) {
      const keys = await this.forgetBatch(this.clock.now() - WAITS_MS);
      for (const key of keys) await this.blobs.remove(key);
      count = keys.length;
    }
    return swept;
  }

  /** Finds the files of this chat by their issued names; missing ones are left out. */
  private async rowsOf(chat: Chat, named: ReadonlySet<string>): Promise<Map<string, ChatFile>> {
    const rows = new Map<string, ChatFile>();
    for (const stored of named) {
      const row = await this.find(chat, stored);
      if (row) rows.set(stored, row);
    }
    return rows;
  }

  private async extendStorage(rows: readonly ChatFile[]): Promise<void> {
    const touched = rows.map(({ flowId, chatId }) => chatKey(flowId, chatId));
    await this.gate.write(async (tx) => {
      const createdAt = this.clock.now();
      for (const { id } of rows) await tx.repository(ChatFile).update({ id }, { createdAt });
    }, touched);
  }

  private async find({ flowId, chatId }: Chat, issued: string): Promise<ChatFile | undefined> {
    const row = await this.reader.repository(ChatFile).findOneBy({
      id: issued.slice(0, ID_LENGTH),
      ...{ flowId, chatId, blobKey: STORED_HERE },
      createdAt: MoreThan(this.clock.now() - WAITS_MS),
    });
    if (!row || issued.slice(ID_LENGTH) !== `-${row.name}`) return undefined;
    return (await this.blobs.exists(row.blobKey)) ? row : undefined;
  }

  private async contentOf({ name, mime, blobKey }: ChatFile): Promise<StoredContent> {
    return { name, mime, bytes: await this.blobs.read(blobKey) };
  }

  private forgetBatch(before: number): Promise<string[]> {
    return this.gate.write(async (tx) => {
      const files = tx.repository(ChatFile);
      const where = { blobKey: STORED_HERE, createdAt: LessThanOrEqual(before) };
      const rows = await files.find({ where, take: BATCH });
      for (const { id } of rows) await files.delete({ id });
      return rows.map((row) => row.blobKey);
    });
  }
}

/** Returns true if the flow accepts pictures. */
export function takesPictures({ chat }: FlowDefinition): boolean {
  const uploads = chat?.['uploads'];
  return (
    typeof uploads === 'object' &&
    uploads !== null &&
    !Array.isArray(uploads) &&
    uploads['isImageUploadAllowed'] === true
  );
}

const gone = (index: number): Fault => ({
  path: `uploads.${index}`,
  message: 'is not a file of this chat, or is no longer stored: attach it again',
});

const tooMuch = (limit: number): ServiceError =>
  new ServiceError(
    'body_too_large',
    `The files of the message have more than ${limit} bytes together. Send less at a time.`,
  );
