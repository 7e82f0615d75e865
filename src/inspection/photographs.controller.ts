import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { NotFound } from '../common/service-error.js';
import { DatabaseReader } from '../database/database-reader.js';
import { BlobStore } from '../storage/blob-store.js';
import { PICTURE_TYPES, type PictureFormat } from './photos/picture-format.js';
import { SessionAccess } from './session-access.js';

interface FileRow {
  flow_id: string;
  format: PictureFormat;
  original_key: string;
  rendition_key: string | null;
  sha256: string;
  rendition_sha256: string | null;
}

const ID = /^[0-9a-f-]{36}$/;

/** The bytes of photographs: as they were sent, and as they are printed (contract section 5). */
@Controller('api/v1/inspection/photographs')
export class PhotographsController {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly store: BlobStore,
    private readonly access: SessionAccess,
  ) {}

  /** Untouched, to be saved and not shown by a browser. */
  @Get(':id/original')
  async original(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const row = await this.find(id, request);
    const { extension, mime } = PICTURE_TYPES[row.format];
    response.setHeader('Content-Disposition', `attachment; filename="${id}${extension}"`);
    await this.send(response, row.original_key, row.sha256, mime);
  }

  /** Upright JPEG without metadata. */
  @Get(':id/print')
  async print(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const row = await this.find(id, request);
    if (row.rendition_key === null) throw new NotFound('The print of this photograph');
    response.setHeader('Content-Disposition', `inline; filename="${id}.jpg"`);
    await this.send(response, row.rendition_key, row.rendition_sha256 ?? row.sha256, 'image/jpeg');
  }

  private async find(id: string, request: Request): Promise<FileRow> {
    const row = ID.test(id)
      ? await this.reader.one<FileRow>(
          `SELECT flow_id, format, original_key, rendition_key, sha256, rendition_sha256 FROM photographs WHERE id = ?`,
          [id],
        )
      : undefined;
    await this.access.toFlow(request, row?.flow_id);
    return row!;
  }

  private async send(response: Response, key: string, sha256: string, mime: string): Promise<void> {
    const bytes = await this.store.size(key);
    if (bytes === undefined) throw new NotFound('The file of this photograph');
    response.set({
      'Content-Type': mime,
      'Content-Length': String(bytes),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, max-age=31536000, immutable',
      ETag: `"${sha256}"`,
    });
    // A reader who leaves ends it early; nothing is to be said to them.
    await pipeline(this.store.stream(key), response).catch(() => response.destroy());
  }
}
