import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AppConfig } from '../../common/app-config.js';
import { holdBody } from '../../common/bodies/body-budget.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { shownName } from '../../common/texts/file-name.js';
import { textOfFile } from '../../common/texts/text-encoding.js';
import type { BlobStore, StoredBlob } from '../../storage/blob-store.js';
import { readText, type AttachedText } from './text-file.js';

/** Prefix of a file's blob: photographs wait for a message, texts stay with their flow. */
export type BlobKind = 'uploads' | 'attachments';

/** A stored file without a row yet. */
export interface StoredAttachment {
  id: string;
  name: string;
  mime: string;
  blob: StoredBlob;
  /** The text of a text file. */
  content: string;
}

const MOST_FILES = 20;

/**
 * The files of one call: all of them are stored, or, after `discard`, none. Pictures are stored as they arrive, if the
 * flow takes them; texts are checked first.
 */
export class IncomingFiles {
  private readonly stored: Promise<StoredBlob>[] = [];

  constructor(
    private readonly request: Request,
    private readonly blobs: BlobStore,
    private readonly config: AppConfig,
  ) {}

  /** Stores the files. Throws 413 if one is too large, 415 if one is neither text nor an accepted picture, 400. */
  async store(pictures: boolean): Promise<StoredAttachment[]> {
    const { maxJsonBytes, maxPhotoBytes } = this.config;
    const bytes = Math.max(maxJsonBytes, pictures ? maxPhotoBytes + 65_536 : 0);
    const limits = { bytes, fileBytes: bytes, fieldBytes: 65_536 };
    let count = 0;
    const { files } = await readMultipartBody(
      this.request,
      limits,
      async (file): Promise<StoredAttachment | AttachedText> => {
        if (++count > MOST_FILES) throw wrongNumber();
        return pictures && isPicture(file) ? this.storePicture(file) : readText(this.request, file);
      },
    );
    if (files.length === 0) throw wrongNumber();
    const empty = files.findIndex((file) => ('bytes' in file ? file.bytes.length : file.blob.bytes) === 0);
    if (empty >= 0) throw new InvalidRequest([{ path: `files.${empty}`, message: 'the file has no bytes' }]);
    this.holdAnswer(files.flatMap((file) => ('bytes' in file ? [file] : [])));
    return Promise.all(files.map(async (file) => ('bytes' in file ? this.storeText(file) : file)));
  }

  /** Deletes the blobs of files that have arrived. */
  async discard(): Promise<void> {
    for (const put of await Promise.allSettled(this.stored))
      if (put.status === 'fulfilled') await this.blobs.remove(put.value.key);
  }

  /**
   * Reserves memory for the texts and their JSON before either exists: a control character takes six bytes there. The
   * answer must not exceed the size of a message, which sends the texts back.
   */
  private holdAnswer(texts: readonly AttachedText[]): void {
    const sum = (bytesOf: (text: AttachedText) => number) =>
      texts.reduce((bytes, text) => bytes + bytesOf(text), 0);
    const answer = sum(({ jsonBytes }) => jsonBytes);
    if (answer > this.config.maxJsonBytes) throw tooMuchText(this.config.maxJsonBytes);
    holdBody(this.request, sum(({ bytes }) => bytes.length) + 2 * answer);
  }

  private async storePicture({ name, mime, stream }: IncomingFile): Promise<StoredAttachment> {
    const blob = await this.put('uploads', stream);
    if (blob.bytes > this.config.maxPhotoBytes) throw tooLarge(this.config.maxPhotoBytes);
    return { id: randomUUID(), name: shownName(name, 'photograph'), mime, blob, content: '' };
  }

  private async storeText({ name, mime, bytes, charset }: AttachedText): Promise<StoredAttachment> {
    const blob = await this.put('attachments', bytes);
    return { id: randomUUID(), name, mime, blob, content: textOfFile(bytes, charset) };
  }

  private put(kind: BlobKind, content: Buffer | Readable): Promise<StoredBlob> {
    const put = this.blobs.put(kind, content);
    this.stored.push(put);
    return put;
  }
}

/** Returns true for a picture, by its type, or by its ending if the sender knows none (browsers for HEIC, many HTTP libraries). */
const isPicture = ({ mime, name }: IncomingFile): boolean =>
  mime.startsWith('image/') ||
  (mime === 'application/octet-stream' && /\.(jpe?g|png|webp|avif|hei[cf]|gif|tiff?)$/i.test(name));

const wrongNumber = (): ServiceError =>
  new InvalidRequest([{ path: 'files', message: `must have 1 to ${MOST_FILES} files` }]);

const tooLarge = (limit: number): ServiceError =>
  new ServiceError(
    'body_too_large',
    `The photograph is larger than ${Math.floor(limit / 1024 / 1024)} MB. Send it smaller.`,
  );

const tooMuchText = (limit: number): ServiceError =>
  new ServiceError(
    'body_too_large',
    `The texts of the files take more than ${limit} bytes as JSON. Attach fewer of them at a time.`,
  );
