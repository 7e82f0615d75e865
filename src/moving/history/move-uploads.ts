import { randomUUID } from 'node:crypto';
import { shownName } from '../../common/texts/file-name.js';
import { ChatFile } from '../../prediction/clients/chat-file.entity.js';
import type { BlobKind } from '../../prediction/clients/incoming-files.js';
import type { SentUpload } from '../../prediction/memory/chat-memory.js';
import type { ForeignFile } from '../../storage/foreign-files.js';
import type { Move } from '../target/move-target.js';
import type { Exchange, TimedMessage } from './exchanges.js';

/** The kind of blob that is stored as long as its flow, unlike photographs that wait for a message. */
const KIND: BlobKind = 'attachments';

/**
 * Moves the files that messages name. A moved file has the time of the first message that names it, which distinguishes it
 * from a file of the same name that was attached here.
 */
export class MoveUploads {
  private chat = '';
  private readonly named = new Set<string>();

  constructor(private readonly move: Move) {}

  async bring({ question }: Exchange): Promise<void> {
    if (!question) return;
    const chat = `${question.flowId}\n${question.chatId}`;
    if (chat !== this.chat) this.named.clear();
    this.chat = chat;
    for (const upload of question.uploads) {
      if (!upload.type.startsWith('stored-file') || this.named.has(upload.name)) continue;
      this.named.add(upload.name);
      await this.bringOne(question, upload);
    }
  }

  private async bringOne(message: TimedMessage, upload: SentUpload): Promise<void> {
    const { report, dryRun, uploads } = this.move;
    const name = `${message.chatId}/${upload.name}`;
    if (!uploads) return report.left('file', 'no --storage was given', name);
    if (await this.isHere(message, upload)) return report.here('file');
    const file = await uploads.find(message.flowId, message.chatId, upload.name);
    if (!file) return report.left('file', 'it is not in the folder of --storage', name);
    if (!dryRun) await this.keep(message, upload, file);
    report.came('file');
  }

  private isHere({ flowId, chatId, at }: TimedMessage, { name }: SentUpload): Promise<boolean> {
    const files = this.move.target.reader.repository(ChatFile);
    return files.existsBy({ flowId, chatId, name: shownName(name, 'file'), createdAt: at });
  }

  /** Stores the bytes before the row, so that no row is without its bytes. */
  private async keep(message: TimedMessage, upload: SentUpload, file: ForeignFile): Promise<void> {
    const { blobs, writes } = this.move.target;
    const { flowId, chatId, at } = message;
    const { key, bytes } = await blobs.put(KIND, file.stream());
    const row = {
      flowId,
      chatId,
      name: shownName(upload.name, 'file'),
      mime: upload.mime,
      bytes,
      blobKey: key,
    };
    const place = { flowId, chatId, name: row.name, createdAt: at };
    const isKept = await writes.write(async (tx) => {
      const files = tx.repository(ChatFile);
      // Another process may have moved it meanwhile.
      if (await files.existsBy(place)) return false;
      await files.insert({ id: randomUUID(), ...row, createdAt: at });
      return true;
    });
    // After an error the blob stays, because the row may have been committed.
    if (!isKept) await blobs.remove(key);
  }
}
