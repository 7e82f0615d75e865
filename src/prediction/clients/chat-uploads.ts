import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { type Fault, InvalidRequest, ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/write-gate.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { Chat } from '../memory/chat-memory.js';
import type { BlobKind } from './incoming-files.js';

/** How long a photograph waits for its message. As long as an answer is kept: until then the same call is the same. */
export const WAITS_MS = 24 * 3_600_000;

const BATCH = 200;

const KIND: BlobKind = 'uploads';

interface UploadRow {
  id: string;
  name: string;
  mime: string;
  bytes: number;
  blob_key: string;
}

type StoredContent = Pick<Upload, 'name' | 'mime' | 'bytes'>;

const ID_LENGTH = 36;

/**
 * Photographs that reach the service one by one, before the message that they belong to: on a weak network each is sent
 * again alone, and the message is small. A message names them as uploads of the type `stored-file`.
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
   * The uploads of a message with the bytes of those that were stored before it, read once however often the message
   * names them; `hold` is told of them before, and throws where there is no room for them. Their day begins anew: as long
   * as the answer is kept, the same call finds them. Throws 400 with the path of each that this chat does not have (any
   * more), 413 when they are too much for one message.
   */
  async fill(chat: Chat, uploads: readonly Upload[], hold: (bytes: number) => void): Promise<Upload[]> {
    const named = new Set(uploads.flatMap(({ stored }) => stored ?? []));
    if (named.size === 0) return [...uploads];
    const rows = await this.rowsOf(chat, named);
    const missing = uploads.flatMap(({ stored }, index) =>
      stored === undefined || rows.has(stored) ? [] : [gone(index)],
    );
    if (missing.length > 0) throw new InvalidRequest(missing.slice(0, 100));
    // Each time that it is named: whoever works through the uploads does so for each of them.
    let room = this.config.maxMultipartBytes;
    for (const { stored = '' } of uploads) room -= rows.get(stored)?.bytes ?? 0;
    if (room < 0) throw tooMuch(this.config.maxMultipartBytes);
    for (const { bytes } of rows.values()) hold(bytes);
    await this.keepAnew([...rows.values()]);
    const contents = new Map<string, StoredContent>();
    for (const [stored, row] of rows) contents.set(stored, await this.contentOf(row));
    return uploads.map((upload) =>
      upload.stored === undefined ? upload : { ...upload, ...contents.get(upload.stored) },
    );
  }

  /** Lets go of photographs that waited for a day; answers how many. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let count = BATCH; count === BATCH; swept += count) {
      const keys = await this.forgetBatch(this.clock.now() - WAITS_MS);
      for (const key of keys) await this.blobs.remove(key);
      count = keys.length;
    }
    return swept;
  }

  /** The files of this chat by the names that a message has for them; those that are missing are left out. */
  private async rowsOf(chat: Chat, named: ReadonlySet<string>): Promise<Map<string, UploadRow>> {
    const rows = new Map<string, UploadRow>();
    for (const stored of named) {
      const row = await this.find(chat, stored);
      if (row) rows.set(stored, row);
    }
    return rows;
  }

  private async keepAnew(rows: readonly UploadRow[]): Promise<void> {
    await this.gate.write(async (tx) => {
      const now = this.clock.now();
      for (const { id } of rows) await tx.run('UPDATE chat_files SET created_at = ? WHERE id = ?', [now, id]);
    });
  }

  private async find({ flowId, chatId }: Chat, issued: string): Promise<UploadRow | undefined> {
    const row = await this.reader.one<UploadRow>(
      `SELECT id, name, mime, bytes, blob_key FROM chat_files
       WHERE id = ? AND flow_id = ? AND chat_id = ? AND blob_key LIKE '${KIND}/%' AND created_at > ?`,
      [issued.slice(0, ID_LENGTH), flowId, chatId, this.clock.now() - WAITS_MS],
    );
    if (!row || issued.slice(ID_LENGTH) !== `-${row.name}`) return undefined;
    return (await this.blobs.exists(row.blob_key)) ? row : undefined;
  }

  private async contentOf({ name, mime, blob_key }: UploadRow): Promise<StoredContent> {
    return { name, mime, bytes: await this.blobs.read(blob_key) };
  }

  private forgetBatch(before: number): Promise<string[]> {
    return this.gate.write(async (tx) => {
      const rows = await tx.all<{ id: string; blob_key: string }>(
        `SELECT id, blob_key FROM chat_files WHERE blob_key LIKE '${KIND}/%' AND created_at <= ? LIMIT ${BATCH}`,
        [before],
      );
      for (const { id } of rows) await tx.run('DELETE FROM chat_files WHERE id = ?', [id]);
      return rows.map((row) => row.blob_key);
    });
  }
}

/** Whether a flow says that pictures may be sent to it. */
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
  message: 'is no file of this chat, or is not kept any longer: attach it again',
});

const tooMuch = (limit: number): ServiceError =>
  new ServiceError(
    413,
    'body_too_large',
    `The files of the message have more than ${limit} bytes together. Send less at a time.`,
  );
