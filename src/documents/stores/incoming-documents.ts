import type { Request } from 'express';
import { z } from 'zod';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { storableText } from '../../common/json/json-text.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { shownName } from '../../common/texts/file-name.js';
import { nameOfUpTo } from '../../common/texts/identifier.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { MOST_DOCUMENT_BYTES } from '../extract/extraction-terms.js';

const MOST_FILES = 50;
const JSON_BYTES = 50 * 1024 * 1024;

/** A document of a call: its bytes are in the blob store, or are to be fetched from `url`. */
export interface ArrivedDocument {
  name: string;
  mime: string;
  sourceKey: string | null;
  url: string | null;
}

/** The JSON body that adds one document. */
export const newDocument = z
  .strictObject({
    name: nameOfUpTo(200).optional(),
    text: z.string().min(1, 'must not be empty').optional().describe('Plain text or Markdown.'),
    url: z
      .url({ protocol: /^https?$/, message: 'must be an http or https address' })
      .max(2_048)
      .optional()
      .describe('The address from which the document is fetched, once.'),
  })
  .refine(({ text, url }) => (text === undefined) !== (url === undefined), {
    path: ['text'],
    message: 'is required, or url in its place',
  });

/** The documents of one call. `discard` removes all of them if they cannot all be added. */
export class IncomingDocuments {
  private readonly stored: Promise<string>[] = [];

  constructor(
    private readonly request: Request,
    private readonly blobs: BlobStore,
    private readonly bodyBytes: number,
  ) {}

  /** Throws 400, 413, 415. */
  async keep(): Promise<ArrivedDocument[]> {
    return isMultipart(this.request) ? this.keepFiles() : [await this.keepBody()];
  }

  /** Removes the stored blobs, to which no row will refer. */
  async discard(): Promise<void> {
    for (const put of await Promise.allSettled(this.stored))
      if (put.status === 'fulfilled') await this.blobs.remove(put.value);
  }

  private async keepBody(): Promise<ArrivedDocument> {
    const body = await readJsonBody(this.request, JSON_BYTES, { takesForms: true });
    const { name, text, url } = checked(newDocument, body ?? {});
    if (url !== undefined) return { name: name ?? nameIn(url), mime: '', sourceKey: null, url };
    const sourceKey = await this.put(Buffer.from(storableText(text!)));
    return { name: name ?? 'text', mime: 'text/plain', sourceKey, url: null };
  }

  private async keepFiles(): Promise<ArrivedDocument[]> {
    const limits = { bytes: this.bodyBytes, fileBytes: MOST_DOCUMENT_BYTES, fieldBytes: 65_536 };
    let count = 0;
    const { files } = await readMultipartBody(this.request, limits, async (file) => {
      if (++count > MOST_FILES) throw wrongNumber();
      return this.keepFile(file);
    });
    if (files.length === 0) throw wrongNumber();
    const empty = files.findIndex((file) => file === 'empty');
    if (empty >= 0) throw new InvalidRequest([{ path: `files.${empty}`, message: 'has no bytes' }]);
    return files.filter((file) => file !== 'empty');
  }

  private async keepFile(file: IncomingFile): Promise<ArrivedDocument | 'empty'> {
    const name = shownName(file.name, 'document');
    const put = this.blobs.put('documents', file.stream);
    this.stored.push(put.then(({ key }) => key));
    const { key, bytes } = await put;
    if (bytes === 0) return 'empty';
    if (file.truncated()) throw tooLarge(name);
    return { name, mime: file.mime.slice(0, 200), sourceKey: key, url: null };
  }

  private put(bytes: Buffer): Promise<string> {
    const put = this.blobs.put('documents', bytes).then(({ key }) => key);
    this.stored.push(put);
    return put;
  }
}

/** Returns the last part of the path of a URL, else its host. */
function nameIn(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return shownName(decodeURIComponent(last), hostname);
  } catch {
    return shownName(last, hostname);
  }
}

const wrongNumber = (): ServiceError =>
  new InvalidRequest([{ path: 'files', message: `must have 1 to ${MOST_FILES} files` }]);

const tooLarge = (name: string): ServiceError =>
  new ServiceError(
    'body_too_large',
    `The document "${name}" is larger than ${MOST_DOCUMENT_BYTES / 1024 / 1024} MB. Send it in parts.`,
  );
