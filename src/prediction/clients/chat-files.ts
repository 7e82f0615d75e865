import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { Chat } from '../memory/chat-memory.js';
import { type BlobKind, IncomingFiles, type KeptFile } from './incoming-files.js';

/** A file as chat clients get it back: they send its text along as a `file:full` upload. */
export interface Attachment {
  /** The name that the service issues: who knows it may read the file. */
  name: string;
  mimeType: string;
  size: number;
  /** Nothing, for a photograph. */
  content: string;
}

interface FileRow {
  flow_id: string;
  chat_id: string;
  mime: string;
  name: string;
  bytes: number;
  blob_key: string;
}

interface FlowlessRow {
  id: string;
  blob_key: string;
}

const ID_LENGTH = 36;
const BATCH = 200;
const KIND: BlobKind = 'attachments';
const FLOWLESS = 'NOT EXISTS (SELECT 1 FROM flows WHERE flows.id = chat_files.flow_id)';

/** Files attached to chats: stored, the text of text files handed back (contract section 7). */
@Injectable()
export class ChatFiles {
  constructor(
    private readonly blobs: BlobStore,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Keeps the files of a form, durable before the answer, all of them or none. `pictures` where the flow takes them.
   * Throws what `IncomingFiles` throws.
   */
  async attach(request: Request, chat: Chat, pictures: boolean): Promise<Attachment[]> {
    const incoming = new IncomingFiles(request, this.blobs, this.config);
    try {
      const files = await incoming.keep(pictures);
      await this.record(chat, files);
      return files.map(attachmentOf);
    } catch (error) {
      await incoming.discard();
      throw error;
    }
  }

  /** Finds a file of this chat by the name that was issued for it. Throws 404. */
  async open({ flowId, chatId }: Chat, name: string): Promise<{ file: FileRow; stream: Readable }> {
    const file = await this.reader.one<FileRow>(
      'SELECT flow_id, chat_id, mime, name, bytes, blob_key FROM chat_files WHERE id = ?',
      [name.slice(0, ID_LENGTH)],
    );
    const issued = file && name.slice(ID_LENGTH) === `-${file.name}`;
    if (!issued || file.flow_id !== flowId || file.chat_id !== chatId) throw new NotFound('The file');
    // Before the answer has begun: the store may have been restored without it.
    if (!(await this.blobs.exists(file.blob_key))) throw new NotFound('The file');
    return { file, stream: this.blobs.stream(file.blob_key) };
  }

  /** Lets go of the texts of flows that are no more: nobody could read them. Answers how many. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let count = BATCH; count === BATCH;) {
      const rows = await this.reader.all<FlowlessRow>(
        `SELECT id, blob_key FROM chat_files WHERE blob_key LIKE '${KIND}/%' AND ${FLOWLESS} LIMIT ${BATCH}`,
      );
      const keys = await this.forget(rows);
      for (const key of keys) await this.blobs.remove(key);
      count = rows.length;
      swept += keys.length;
    }
    return swept;
  }

  /** The flow may have been made again meanwhile. Answers the blobs of the rows that went. */
  private forget(rows: readonly FlowlessRow[]): Promise<string[]> {
    return this.gate.write(async (tx) => {
      const keys: string[] = [];
      for (const { id, blob_key } of rows)
        if ((await tx.run(`DELETE FROM chat_files WHERE id = ? AND ${FLOWLESS}`, [id])) === 1)
          keys.push(blob_key);
      return keys;
    });
  }

  private record({ flowId, chatId }: Chat, files: readonly KeptFile[]): Promise<void> {
    return this.gate.write(async (tx) => {
      const now = this.clock.now();
      for (const { id, name, mime, blob } of files)
        await tx.run(
          'INSERT INTO chat_files (id, flow_id, chat_id, name, mime, bytes, blob_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          [id, flowId, chatId, name, mime, blob.bytes, blob.key, now],
        );
    });
  }
}

const attachmentOf = ({ id, name, mime, blob, content }: KeptFile): Attachment => ({
  name: `${id}-${name}`,
  mimeType: mime,
  size: blob.bytes,
  content,
});
