import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../common/service-error.js';
import { BlobStore } from '../storage/blob-store.js';
import { sendPdf } from './pdf-response.js';
import type { StoredReport } from './report-vault.js';

/** Sends the file of a report from storage. */
@Injectable()
export class ReportFile {
  constructor(private readonly store: BlobStore) {}

  async send(
    response: Response,
    report: Pick<StoredReport, 'key' | 'filename' | 'bytes' | 'sha256'>,
    { inline = false } = {},
  ): Promise<void> {
    if ((await this.store.size(report.key)) !== report.bytes) {
      throw new ServiceError(
        500,
        'internal_error',
        'The file of this report is missing from storage. Ask an operator to redraw it.',
      );
    }
    await sendPdf(response, { ...report, inline }, (range) => this.store.stream(report.key, range));
  }
}
