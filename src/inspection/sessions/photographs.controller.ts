import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { BYTES } from '../../api/route-note.js';
import { clientAddress } from '../../common/http/client-address.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { BlobStore, type StoredBlob } from '../../storage/blob-store.js';
import { SessionAccess } from '../access/session-access.js';
import { OF_RECORD } from '../access/session-notes.js';
import { PhotographPrints } from '../pictures/photograph-prints.js';
import { PICTURE_TYPES, type PictureFormat } from '../pictures/picture-format.js';

interface FileRow {
  flow_id: string;
  session_id: string;
  format: PictureFormat;
  original_key: string;
  sha256: string;
  /** Degrees clockwise. */
  turn: number;
  /** The turned print if a correction has turned it. */
  print_key: string | null;
  print_sha256: string | null;
}

const ID = /^[0-9a-f-]{36}$/;

/** Serves originals and prints of photographs (contract section 5). */
@Controller('api/v1/inspection/photographs')
export class PhotographsController {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly store: BlobStore,
    private readonly access: SessionAccess,
    private readonly prints: PhotographPrints,
  ) {}

  /** Sends the original unchanged, for a browser to save and not to show. */
  @Documented({
    summary: 'Download the original of a photograph',
    access: 'admin-or-flow',
    errors: ['stored_file_damaged', 'not_found'],
    answers: { 200: { description: 'The bytes, untouched.', content: { 'image/*': BYTES } } },
  })
  @Get(':id/original')
  async original(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const row = await this.find(id);
    await this.access.toFlow(request, row?.flow_id);
    if (!row) throw new NotFound('This photograph');
    const { extension, mime } = PICTURE_TYPES[row.format];
    await this.send(
      response,
      { key: row.original_key, sha256: row.sha256 },
      {
        'Content-Type': mime,
        'Content-Disposition': `attachment; filename="${id}${extension}"`,
        'Cache-Control': 'private, max-age=31536000, immutable',
        ETag: `"${row.sha256}"`,
      },
    );
  }

  /** Sends the print: an upright JPEG without metadata, with corrected turn. Also shown by the chat page. */
  @Documented({
    ...OF_RECORD,
    summary: 'Download the print version of a photograph',
    errors: ['stored_file_damaged', ...OF_RECORD.errors],
    answers: { 200: { description: 'Upright, without metadata.', content: { 'image/jpeg': BYTES } } },
  })
  @Get(':id/print')
  async print(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const row = await this.find(id);
    const place = row && { flowId: row.flow_id, sessionId: row.session_id };
    await this.access.openRecord(request, place, 'This photograph');
    if (!row || row.print_key === null) throw new NotFound('The print of this photograph');
    // A correction may turn it, so browsers must revalidate their copy by its tag.
    const tagOf = (sha256: string) => ({ 'Cache-Control': 'private, no-cache', ETag: `"${sha256}"` });
    const known = tagOf(row.print_sha256 ?? row.sha256);
    if (request.headers['if-none-match'] === known.ETag) {
      response.set(known).status(304).end();
      return;
    }
    const caller = { who: clientAddress(request), chat: `${row.flow_id} ${row.session_id}` };
    const print = await this.prints.sound({ photographId: id, turn: row.turn }, caller);
    if (!print) throw new NotFound('The print of this photograph');
    await this.send(response, print, {
      'Content-Type': 'image/jpeg',
      'Content-Disposition': `inline; filename="${id}.jpg"`,
      ...tagOf(print.sha256),
    });
  }

  private find(id: string): Promise<FileRow | undefined> {
    return ID.test(id)
      ? this.reader.one<FileRow>(
          `SELECT flow_id, session_id, format, original_key, photographs.sha256, photographs.turn,
           CASE WHEN photographs.turn = 0 THEN rendition_key ELSE turned.storage_key END AS print_key,
           CASE WHEN photographs.turn = 0 THEN rendition_sha256 ELSE turned.sha256 END AS print_sha256
           FROM photographs LEFT JOIN turned_prints turned
             ON turned.photograph_id = photographs.id AND turned.turn = photographs.turn
           WHERE photographs.id = ?`,
          [id],
        )
      : Promise.resolve(undefined);
  }

  private async send(
    response: Response,
    blob: Pick<StoredBlob, 'key' | 'sha256'>,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const bytes = await this.store.size(blob.key);
    if (bytes === undefined) throw new NotFound('The file of this photograph');
    await this.store.withSound(blob, async (file) => {
      response.set({ ...headers, 'Content-Length': String(bytes), 'X-Content-Type-Options': 'nosniff' });
      // The client may have disconnected; no answer can reach it.
      await pipeline(file.stream(), response).catch(() => response.destroy());
    });
  }
}
