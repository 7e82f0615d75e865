import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import { BlobStore } from '../../storage/blob-store.js';
import { type PdfHead, sendPdf } from './pdf-response.js';

/** A file in storage, under its key there. */
export interface BlobFile extends PdfHead {
  key: string;
}

/** Sends files of reports from storage, once their content is found to be as recorded. */
@Injectable()
export class ReportFile {
  constructor(private readonly store: BlobStore) {}

  async send(response: Response, file: BlobFile, inline = false): Promise<void> {
    if ((await this.store.size(file.key)) !== file.bytes) {
      throw new ServiceError(
        'internal_error',
        file.type === undefined
          ? 'The file of this report is missing from storage. Ask an operator to redraw it.'
          : 'This file is missing from storage. Ask for it again in an hour.',
      );
    }
    await this.store.withSound(file, ({ stream }) => sendPdf(response, { ...file, inline }, stream));
  }
}
