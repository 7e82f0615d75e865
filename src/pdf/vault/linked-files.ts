import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import { RenderAccess } from '../render/render-access.js';
import { ReportFile, type BlobFile } from './report-file.js';
import { type LinkedKind, ReportLinks } from './report-links.js';

/** A file with an address of its own, made of what these flows recorded. */
export interface LinkedFile extends BlobFile {
  id: string;
  flowIds: readonly string[];
}

/**
 * Sends a file to whoever holds its signed address (`expires` and `signature`), a key of its flows or the admin key; to
 * be saved, or with `inline=true` to be shown. 401 or 403 to others.
 */
@Injectable()
export class LinkedFiles {
  constructor(
    private readonly access: RenderAccess,
    private readonly links: ReportLinks,
    private readonly files: ReportFile,
  ) {}

  async send(kind: LinkedKind, file: LinkedFile, request: Request, response: Response): Promise<void> {
    const { expires, signature, inline } = request.query;
    const signed = typeof expires === 'string' && typeof signature === 'string';
    if (!(signed && this.links.opens(file.id, { expires, signature }, kind))) {
      const refusal = await this.access.refusalToRead(request, file.flowIds);
      if (refusal) throw signed && refusal.status === 401 ? expired() : refusal;
    }
    await this.files.send(response, file, inline === 'true');
  }
}

const expired = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    "This address has expired or was altered. Ask for a new one, or send the flow's API key.",
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
