import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import { BlobStore } from '../../storage/blob-store.js';
import { type PdfHead, sendPdf } from './pdf-response.js';
import { ReportAccess } from './report-access.js';
import { type LinkedKind, ReportLinks } from './report-links.js';

/** A file in storage. */
interface BlobFile extends PdfHead {
  key: string;
}

/** A file with an address of its own, which shows photographs of these flows. */
export interface LinkedFile extends BlobFile {
  id: string;
  flowIds: readonly string[];
}

/** Sends files of reports from storage after checking their content. */
@Injectable()
export class ReportFiles {
  constructor(
    private readonly access: ReportAccess,
    private readonly links: ReportLinks,
    private readonly store: BlobStore,
  ) {}

  /**
   * Sends a file to the holder of its signed address (`expires` and `signature`), of a key of its flows or of the admin key.
   * With `inline=true` a browser shows it instead of saving it. Throws 401 or 403 for others.
   */
  async sendLinked(kind: LinkedKind, file: LinkedFile, request: Request, response: Response): Promise<void> {
    const { expires, signature, inline } = request.query;
    const signed = typeof expires === 'string' && typeof signature === 'string';
    if (!(signed && this.links.opens(file.id, { expires, signature }, kind))) {
      const refusal = await this.access.refusalToRead(request, file.flowIds);
      if (refusal) throw signed && refusal.status === 401 ? expired() : refusal;
    }
    await this.send(response, file, inline === 'true');
  }

  /** Sends a file to a caller whose access was checked. */
  async send(response: Response, file: BlobFile, inline = false): Promise<void> {
    if ((await this.store.size(file.key)) !== file.bytes) {
      throw new ServiceError(
        'internal_error',
        file.type === undefined
          ? 'The file of this report is missing from storage. Ask an operator to redraw it.'
          : 'This file is missing from storage. Request it again in an hour.',
      );
    }
    await this.store.withSound(file, ({ stream }) => sendPdf(response, { ...file, inline }, stream));
  }
}

const expired = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    "This address has expired or was altered. Request a new one, or send the flow's API key.",
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
