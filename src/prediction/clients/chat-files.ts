import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import type { AttachmentView } from '../../api/chats.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { NotFound } from '../../common/service-error.js';
import { removeUnlessCommitted } from '../../database/away.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { chatKey } from '../../database/writes/write-keys.js';
import { BlobStore } from '../../storage/blob-store.js';
import { StoredBytes } from '../../storage/stored-bytes.js';
import type { Chat } from '../memory/chat-memory.js';
import { ChatFile } from './chat-file.entity.js';
import { type BlobKind, IncomingFiles, type StoredAttachment } from './incoming-files.js';

type Flowless = Pick<ChatFile, 'id' | 'blobKey'>;

const ID_LENGTH = 36;
const BATCH = 200;
const KIND: BlobKind = 'attachments';
const FLOWLESS = 'NOT EXISTS (SELECT 1 FROM flows WHERE flows.id = chat_files.flow_id)';

/** Files attached to chats. The text of text files is returned to the client (contract section 7). */
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
   * Stores the files of a form durably before the answer, all or none. `pictures` if the flow takes them. Throws the
   * errors of `IncomingFiles`, and 429 `quota_exceeded` for a caller who has stored too much.
   */
  async attach(
    request: Request,
    chat: Chat,
    { pictures, caller }: { pictures: boolean; caller: string },
  ): Promise<AttachmentView[]> {
    const owner = { flowId: chat.flowId, caller };
    const refusal = this.stored.refusal(owner);
    if (refusal) throw refusal;
    const incoming = new IncomingFiles(request, this.blobs, this.config);
    try {
      const files = await incoming.store(pictures);
      await this.record(chat, files);
      this.stored.charge(
        owner,
        files.reduce((sum, { blob }) => sum + blob.bytes, 0),
      );
      return files.map(attachmentOf);
    } catch (error) {
      await removeUnlessCommitted(error, () => incoming.discard());
      throw error;
    }
  }

  /** Opens a file of this chat by its issued name, or with `readsChat` the newest with the user's name. Throws 404. */
  async open(chat: Chat, name: string, readsChat: boolean): Promise<{ file: ChatFile; stream: Readable }> {
    const file = (await this.issued(chat, name)) ?? (readsChat ? await this.named(chat, name) : null);
    if (!file) throw new NotFound('The file');
    // Checked before the answer: the blob store may have been restored without the file.
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

  /** Deletes the texts of deleted flows, which nobody can read. Returns their number. */
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

  /** Deletes rows if their flow still does not exist. Returns their blob keys. */
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

const attachmentOf = ({ id, name, mime, blob, content }: StoredAttachment): AttachmentView => ({
  name: `${id}-${name}`,
  mimeType: mime,
  size: blob.bytes,
  content,
});
