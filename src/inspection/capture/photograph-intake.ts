import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../../common/app-config.js';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { OutboundResponse } from '../../common/outbound/outbound-response.js';
import { ServiceError } from '../../common/service-error.js';
import { readBase64 } from '../../common/texts/base64.js';
import { shownName } from '../../common/texts/file-name.js';
import { BlobStore, type StoredBlob } from '../../storage/blob-store.js';
import { FACT_MEMBERS } from '../facts/fact.js';
import { storePrint, type StoredPrint } from '../pictures/photograph-prints.js';
import type { PictureCaller } from '../pictures/picture-slots.js';
import { PictureWorkers } from '../pictures/picture-workers.js';
import { FaultyPicture } from '../pictures/picture.js';
import type { PhotographContent, SentPhotograph } from './capture-command.js';

/** A photograph whose bytes are durable: the original as it was sent, and its print rendition. */
export interface StoredPhotograph extends StoredPrint {
  original: StoredBlob;
}

export type Intake = { stored: StoredPhotograph } | { fault: { code: string; message: string } };

type Original = { blob: StoredBlob } | { fault: { code: string; message: string } };

const EMPTY: Original = {
  fault: { code: 'empty_file', message: 'The file of the photograph has no bytes. Send it again.' },
};

const FETCH_MS = 30_000;

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

/** The fault of photographs beyond the limit of a batch. */
export const tooManyPhotographs = (most: number) => ({
  code: 'too_many_photographs',
  message: `A batch has at most ${most} photographs. Send this one with the next batch.`,
});

/** Brings the bytes of one photograph into storage and checks that they can be drawn (contract section 5). */
@Injectable()
export class PhotographIntake {
  constructor(
    private readonly config: AppConfig,
    private readonly store: BlobStore,
    private readonly workers: PictureWorkers,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Reads the body of a capture, JSON or multipart; the files of a form stream straight into storage. */
  async receive(request: Request): Promise<CaptureUpload> {
    if (!isMultipart(request)) {
      return {
        fields: (await readJsonBody(request, this.config.maxJsonBytes, { takesForms: true })) ?? {},
        files: [],
      };
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

  /** Stores a photograph. Returns a fault of it, throws an error of the service; nothing remains stored in either case. */
  async take({ content }: SentPhotograph, caller: PictureCaller, signal?: AbortSignal): Promise<Intake> {
    const got = await this.original(content, signal);
    if ('fault' in got) return got;
    try {
      return { stored: { original: got.blob, ...(await this.print(got.blob, caller)) } };
    } catch (error) {
      await this.store.remove(got.blob.key);
      if (error instanceof FaultyPicture) return { fault: error.fault };
      throw error;
    }
  }

  /** Deletes the files of a photograph that was stored but not recorded. */
  async drop({ original, rendition }: StoredPhotograph): Promise<void> {
    await this.store.remove(original.key);
    if (rendition) await this.store.remove(rendition.key);
  }

  /** Deletes the files of a multipart body that were not recorded: all except those under the keys in use. */
  async discard(
    contents: readonly PhotographContent[],
    inUse: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    for (const content of contents) {
      if (content.kind === 'stored' && !inUse.has(content.blob.key))
        await this.store.remove(content.blob.key);
    }
  }

  private async readForm(request: Request, coming: Promise<PhotographContent>[]): Promise<CaptureUpload> {
    const { maxMultipartBytes, maxPhotoBytes, maxJsonBytes, maxPhotos } = this.config;
    const limits = {
      bytes: maxMultipartBytes,
      fileBytes: maxPhotoBytes,
      fieldBytes: maxJsonBytes,
      json: JSON_FIELDS,
    };
    let count = 0;
    const { fields, files } = await readMultipartBody(request, limits, async (file) => {
      count += 1;
      if (count > maxPhotos)
        return (await drain(file), { kind: 'fault' as const, ...tooManyPhotographs(maxPhotos) });
      const content = this.storeFile(file);
      coming.push(content);
      return content;
    });
    return { fields: Object.fromEntries(fields), files };
  }

  private async storeFile(file: IncomingFile): Promise<PhotographContent> {
    const blob = await this.store.put('photographs', file.stream);
    if (!file.truncated()) return { kind: 'stored', blob, name: shownName(file.name, '') };
    await this.store.remove(blob.key);
    return { kind: 'fault', ...this.tooLarge().fault };
  }

  private async original(content: PhotographContent, signal: AbortSignal | undefined): Promise<Original> {
    switch (content.kind) {
      case 'stored':
        return content.blob.bytes === 0 ? EMPTY : { blob: content.blob };
      case 'fault':
        return { fault: { code: content.code, message: content.message } };
      case 'base64': {
        const read = readBase64(content.data, this.config.maxPhotoBytes);
        if ('bytes' in read) return this.storeBytes(read.bytes);
        if (read.fault === 'too_large') return this.tooLarge();
        const message = `The data of the photograph ${read.why}. Send base64 or a base64 data URI.`;
        return { fault: { code: 'undecodable', message } };
      }
      case 'bytes':
        return this.storeBytes(content.bytes);
      case 'url':
        return this.fetch(content.url, signal);
    }
  }

  private async storeBytes(bytes: Uint8Array): Promise<Original> {
    if (bytes.byteLength === 0) return EMPTY;
    if (bytes.byteLength > this.config.maxPhotoBytes) return this.tooLarge();
    return { blob: await this.store.put('photographs', bytes) };
  }

  private tooLarge(): { fault: { code: string; message: string } } {
    const megabytes = Number((this.config.maxPhotoBytes / 1024 / 1024).toFixed(3));
    const message = `The photograph is larger than ${megabytes} MB. Send it smaller.`;
    return { fault: { code: 'photo_too_large', message } };
  }

  private async fetch(url: string, signal: AbortSignal | undefined): Promise<Original> {
    let response: OutboundResponse;
    try {
      response = await this.outbound.request({
        url,
        maxBytes: this.config.maxPhotoBytes,
        timeoutMs: FETCH_MS,
        media: true,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (error instanceof ServiceError) return { fault: { code: error.code, message: error.message } };
      throw error;
    }
    // A failure of the store is no fault of the photograph.
    if (response.status === 200) return this.storeBytes(response.body);
    const message = `The target answered ${response.status}. Send an address that answers 200, or the data.`;
    return { fault: { code: 'fetch_failed', message } };
  }

  private print(original: StoredBlob, caller: PictureCaller): Promise<StoredPrint> {
    return storePrint(this.store, (to) =>
      this.store.withFiles([original.key], (pathOf) =>
        this.workers.normalise(pathOf(original.key), to, caller),
      ),
    );
  }
}

async function drain(file: IncomingFile): Promise<void> {
  for await (const _ of file.stream);
}
