import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Clock } from '../../common/clock.js';
import { NotFound, ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/write-gate.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { Chat } from '../memory/chat-memory.js';

/** A file as chat clients get it back: they send its text along as a `file:full` upload. */
export interface Attachment {
  /** The name that the service issues: who knows it may read the file. */
  name: string;
  mimeType: string;
  size: number;
  content: string;
}

export interface IncomingAttachment {
  name: string;
  mime: string;
  bytes: Buffer;
}

interface FileRow {
  flow_id: string;
  chat_id: string;
  mime: string;
  name: string;
  bytes: number;
  blob_key: string;
}

const ID_LENGTH = 36;

/** Files attached to chats: stored, and their text handed back (contract section 7). */
@Injectable()
export class ChatFiles {
  constructor(
    private readonly blobs: BlobStore,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
  ) {}

  async add({ flowId, chatId }: Chat, file: IncomingAttachment): Promise<Attachment> {
    if (!isText(file)) throw notText(file.name);
    const id = randomUUID();
    const blob = await this.blobs.put('attachments', file.bytes);
    await this.gate.write((tx) =>
      tx.run(
        'INSERT INTO chat_files (id, flow_id, chat_id, name, mime, bytes, blob_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        [id, flowId, chatId, file.name, file.mime, blob.bytes, blob.key, this.clock.now()],
      ),
    );
    const content = file.bytes.toString('utf8');
    return { name: `${id}-${file.name}`, mimeType: file.mime, size: blob.bytes, content };
  }

  /** Finds a file of this chat by the name that was issued for it. Throws 404. */
  async open({ flowId, chatId }: Chat, name: string): Promise<{ file: FileRow; stream: Readable }> {
    const file = await this.reader.one<FileRow>(
      'SELECT flow_id, chat_id, mime, name, bytes, blob_key FROM chat_files WHERE id = ?',
      [name.slice(0, ID_LENGTH)],
    );
    const issued = file && name.slice(ID_LENGTH) === `-${file.name}`;
    if (!issued || file.flow_id !== flowId || file.chat_id !== chatId) throw new NotFound('The file');
    return { file, stream: this.blobs.stream(file.blob_key) };
  }
}

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/x-ndjson',
]);

/** Text by its type, or by its bytes where the client did not know the type. */
function isText({ mime, bytes }: IncomingAttachment): boolean {
  if (mime.startsWith('text/') || textTypes.has(mime)) return true;
  return mime === 'application/octet-stream' && !bytes.includes(0) && isUtf8(bytes);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const notText = (name: string): ServiceError =>
  new ServiceError(
    415,
    'unsupported_media_type',
    `The file "${name.slice(0, 200)}" is not text. Attach text files; send pictures as uploads of a message.`,
  );
