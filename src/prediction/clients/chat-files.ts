import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { chatKey } from '../../database/writes/write-keys.js';
import { BlobStore } from '../../storage/blob-store.js';
import { StoredBytes } from '../../storage/stored-bytes.js';
import type { Chat } from '../memory/chat-memory.js';
import { ChatFile } from './chat-file.entity.js';
import { type BlobKind, IncomingFiles, type StoredAttachment } from './incoming-files.js';

/** A file as chat clients get it back: they send its text along as a `file:full` upload. */
export interface Attachment {
  /** The name that the service issues: who knows it may read the file. */
  name: string;
  mimeType: string;
  size: number;
  /** Nothing, for a photograph. */
  content: string;
}

type Flowless = Pick<ChatFile, 'id' | 'blobKey'>;

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
    private readonly stored: StoredBytes,
  ) {}

  /**
   * Stores the files of a form, durable before the answer, all of them or none. `pictures` where the flow takes them.
   * Throws what `IncomingFiles` throws, and 429 `quota_exceeded` to a caller who has stored too much.
   */
  async attach(
    request: Request,
    chat: Chat,
    { pictures, caller }: { pictures: boolean; caller: string },
  ): Promise<Attachment[]> {
    const owner = { flowId: chat.flowId, caller };
    const refusal = this.stored.refusal(owner);
    if (refusal) throw refusal;
    const incoming = new IncomingFiles(request, this.blobs, this.config);
    try {
      const files = await incoming.keep(pictures);
      await this.record(chat, files);
      this.stored.charge(
        owner,
        files.reduce((sum, { blob }) => sum + blob.bytes, 0),
      );
      return files.map(attachmentOf);
    } catch (error) {
      await incoming.discard();
      throw error;
    }
  }

  /**
   * Finds a file of this chat by the name that was issued for it; for a caller who may read the whole chat also by the
   * name that its user gave it, the newest of several. Throws 404.
   */
  async open(chat: Chat, name: string, readsChat: boolean): Promise<{ file: ChatFile; stream: Readable }> {
    const file = (await this.issued(chat, name)) ?? (readsChat ? await this.named(chat, name) : null);
    if (!file) throw new NotFound('The file');
    // Checked before the answer begins: the store may have been restored without the file.
    if (!(await this.blobs.exists(file.blobKey))) throw new NotFound('The file');
    return { file, stream: this.blobs.stream(file.blobKey) };
  }

  private async issued(chat: Chat, name: string): Promise<ChatFile | null> {
    const { flowId, chatId } = chat;
    const id = name.slice(0, ID_LENGTH);
    const file = await this.reader.repository(ChatFile).findOneBy({ id, flowId, chatId });
    return file && name.slice(ID_LENGTH) === `-${file.name}` ? file : null;
  }

  private named({ flowId, chatId }: Chat, name: string): Promise<ChatFile | null> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    return this.reader.repository(ChatFile).findOne({ where: { flowId, chatId, name }, order });
  }

  /** Deletes the texts of deleted flows: nobody could read them. Answers how many. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let count = BATCH; count === BATCH;) {
      const rows = await this.reader.all<Flowless>(
        `SELECT id, blob_key AS "blobKey" FROM chat_files WHERE blob_key LIKE '${KIND}/%' AND ${FLOWLESS} LIMIT ${BATCH}`,
      );
      const keys = await this.forget(rows);
      for (const key of keys) await this.blobs.remove(key);
      count = rows.length;
      swept += keys.length;
    }
    return swept;
  }

  /** Rechecked in the transaction, since the flow may have been made again. Answers the blobs of the deleted rows. */
  private forget(rows: readonly Flowless[]): Promise<string[]> {
    return this.gate.write(async (tx) => {
      const keys: string[] = [];
      for (const { id, blobKey } of rows)
        if ((await tx.run(`DELETE FROM chat_files WHERE id = ? AND ${FLOWLESS}`, [id])) === 1)
          keys.push(blobKey);
      return keys;
    });
  }

  private record({ flowId, chatId }: Chat, files: readonly StoredAttachment[]): Promise<void> {
    return this.gate.write(
      async (tx) => {
        const createdAt = this.clock.now();
        for (const { id, name, mime, blob } of files) {
          const file = { id, name, mime, bytes: blob.bytes, blobKey: blob.key };
          await tx.repository(ChatFile).insert({ ...file, flowId, chatId, createdAt });
        }
      },
      [chatKey(flowId, chatId)],
    );
  }
}

const attachmentOf = ({ id, name, mime, blob, content }: StoredAttachment): Attachment => ({
  name: `${id}-${name}`,
  mimeType: mime,
  size: blob.bytes,
  content,
});
