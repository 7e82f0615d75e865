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
    await this.send(response, kind, { ...file, inline: inline === 'true' });
  }

  /** Sends a file to a caller whose access was checked. */
  async send(response: Response, kind: LinkedKind, file: BlobFile): Promise<void> {
    await this.store.withSound(file, ({ stream }) => sendPdf(response, file, stream), REMEDIES[kind]);
  }
}

/** Instructions for replacing a file that is missing or damaged. */
const REMEDIES: Readonly<Record<LinkedKind, string>> = {
  report: 'An admin can redraw it: POST /api/v1/pdf/reports/:id/redraw.',
  preview: 'Request another preview.',
  pack: 'Request it again in an hour.',
};

const expired = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    "This address has expired or was altered. Request a new one, or send the flow's API key.",
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
