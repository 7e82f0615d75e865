import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../../common/app-config.js';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { BlobStore } from '../../storage/blob-store.js';
import { FACT_MEMBERS } from '../facts/fact.js';
import type { PhotographContent } from './capture-command.js';

/** A body that was read but not checked: its fields, and the stored files of a multipart body. */
export interface CaptureUpload {
  fields: unknown;
  files: PhotographContent[];
}

/** Fields of a multipart body that carry JSON. */
const JSON_FIELDS: ReadonlySet<string> = new Set([
  ...['photographsMeta', 'photographs', 'photos', 'uploads', 'details'],
  ...FACT_MEMBERS,
]);

/** Reads the body of a capture, JSON or multipart; files stream straight into storage. */
@Injectable()
export class CaptureUploads {
  constructor(
    private readonly config: AppConfig,
    private readonly store: BlobStore,
  ) {}

  async read(request: Request): Promise<CaptureUpload> {
    if (!isMultipart(request)) {
      return { fields: (await readJsonBody(request, this.config.maxJsonBytes)) ?? {}, files: [] };
    }
    const coming: Promise<PhotographContent>[] = [];
    try {
      return await this.readForm(request, coming);
    } catch (error) {
      const ended = await Promise.allSettled(coming);
      await this.discard(ended.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : [])));
      throw error;
    }
  }

  /** Removes the files of a call that recorded nothing. */
  async discard(contents: readonly PhotographContent[]): Promise<void> {
    for (const content of contents) if (content.kind === 'stored') await this.store.remove(content.blob.key);
  }

  private async readForm(request: Request, coming: Promise<PhotographContent>[]): Promise<CaptureUpload> {
    const limits = {
      bytes: this.config.maxMultipartBytes,
      fileBytes: this.config.maxPhotoBytes,
      fieldBytes: this.config.maxJsonBytes,
      json: JSON_FIELDS,
    };
    let count = 0;
    const { fields, files } = await readMultipartBody(request, limits, async (file) => {
      count += 1;
      if (count > this.config.maxPhotos) return (await drain(file), tooMany(this.config.maxPhotos));
      const content = this.keep(file);
      coming.push(content);
      return content;
    });
    return { fields: Object.fromEntries(fields), files };
  }

  private async keep(file: IncomingFile): Promise<PhotographContent> {
    const blob = await this.store.put('photographs', file.stream);
    if (!file.truncated()) return { kind: 'stored', blob };
    await this.store.remove(blob.key);
    const message = `The photograph is larger than ${this.config.maxPhotoBytes} bytes. Send it smaller.`;
    return { kind: 'fault', code: 'photo_too_large', message };
  }
}

async function drain(file: IncomingFile): Promise<void> {
  for await (const _ of file.stream);
}

const tooMany = (most: number): PhotographContent => ({
  kind: 'fault',
  code: 'too_many_photographs',
  message: `A batch has at most ${most} photographs. Send this one with the next batch.`,
});
