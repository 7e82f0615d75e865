import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { type Asset, asset } from '../../api/reports.js';
import { answered, BYTES } from '../../api/route-note.js';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { readBase64 } from '../../common/texts/base64.js';
import { FaultyPicture } from '../../inspection/pictures/picture.js';
import { Logos, MAX_LOGO_BYTES } from './logos.js';

const JSON_BYTES = Math.ceil((MAX_LOGO_BYTES * 4) / 3) + 65_536;

/** Logos for reports: `POST /api/v1/assets` takes a multipart file, or JSON `{ data }` with base64 or a base64 data URI. */
@Controller('api/v1/assets')
@UseGuards(AdminGuard)
export class AssetsController {
  constructor(private readonly logos: Logos) {}

  @Documented({
    summary: 'Upload a logo',
    description: 'Returns the id that `meta.logo` takes. The same picture has the same id.',
    errors: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    body: {
      json: {
        type: 'object',
        required: ['data'],
        properties: {
          data: { type: 'string', description: 'The picture in base64, as a data URI or alone.' },
        },
      },
      multipart: { type: 'object', properties: { file: BYTES } },
      examples: {
        logo: {
          data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUiVYi4HA1XAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC',
        },
      },
    },
    answers: answered('The asset.', asset),
  })
  @Post()
  @HttpCode(200)
  async upload(@Req() request: Request): Promise<Asset> {
    const bytes = isMultipart(request) ? await fileOf(request) : await dataOf(request);
    try {
      return await this.logos.add(bytes);
    } catch (error) {
      if (error instanceof FaultyPicture)
        throw new InvalidRequest([{ path: 'data', message: error.message }]);
      throw error;
    }
  }
}

async function fileOf(request: Request): Promise<Buffer> {
  const limits = { bytes: MAX_LOGO_BYTES + 65_536, fileBytes: MAX_LOGO_BYTES, fieldBytes: 65_536 };
  const { files } = await readMultipartBody(request, limits, readFile);
  const [file] = files;
  if (file === undefined) throw new InvalidRequest([{ path: 'file', message: 'send one picture' }]);
  return file;
}

async function readFile(file: IncomingFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream) chunks.push(chunk as Buffer);
  if (file.truncated()) throw tooLarge();
  return Buffer.concat(chunks);
}

async function dataOf(request: Request): Promise<Buffer> {
  const body = await readJsonBody(request, JSON_BYTES, { takesForms: true });
  const data = typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : undefined;
  if (typeof data !== 'string') throw noPicture('is missing');
  const read = readBase64(data, MAX_LOGO_BYTES);
  if ('bytes' in read) return read.bytes;
  throw read.fault === 'too_large' ? tooLarge() : noPicture(read.why);
}

const noPicture = (why: string): InvalidRequest =>
  new InvalidRequest([{ path: 'data', message: `${why}: send a picture as base64 or a base64 data URI` }]);

const tooLarge = (): ServiceError =>
  new ServiceError('body_too_large', 'A logo may have at most 10 MB. Send a smaller picture.');
