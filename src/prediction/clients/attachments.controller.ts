import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { FlowAccess } from '../../auth/flow-access.decorator.js';
import { flowAccessOf } from '../../auth/flow-access.js';
import { FlowDoor } from '../../auth/flow-door.js';
import { AppConfig } from '../../common/app-config.js';
import { type IncomingFile, isMultipart, readMultipartBody } from '../../common/request-body.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { ValidQuery } from '../../common/valid-body.decorator.js';
import { type Attachment, ChatFiles, type IncomingAttachment } from './chat-files.js';

const fileQuery = z.object({
  chatflowid: z.string().optional(),
  chatflowId: z.string().optional(),
  chatId: z.string(),
  fileName: z.string(),
});

const MOST_FILES = 20;

/** Files that a user attaches to a chat, and their way back (contract section 7). */
@Controller('api/v1')
export class AttachmentsController {
  constructor(
    private readonly files: ChatFiles,
    private readonly door: FlowDoor,
    private readonly config: AppConfig,
  ) {}

  @Post('attachments/:flowId/:chatId')
  @HttpCode(200)
  @FlowAccess({ rateLimit: false, missCountsOnce: true })
  async add(@Req() request: Request, @Param('chatId') chatId: string): Promise<Attachment[]> {
    if (chatId.length > 256) throw new InvalidRequest([{ path: 'chatId', message: 'is too long' }]);
    if (!isMultipart(request)) {
      throw new ServiceError(415, 'unsupported_media_type', 'Send the files as multipart/form-data.');
    }
    const limits = {
      bytes: this.config.maxJsonBytes,
      fileBytes: this.config.maxJsonBytes,
      fieldBytes: 65_536,
    };
    const { files } = await readMultipartBody(request, limits, readWhole);
    if (files.length === 0 || files.length > MOST_FILES)
      throw new InvalidRequest([{ path: 'files', message: `must have 1 to ${MOST_FILES} files` }]);
    const chat = { flowId: flowAccessOf(request).flow.id, chatId };
    return Promise.all(files.map((file) => this.files.add(chat, file)));
  }

  /** The name must be one that the service issued: it cannot be guessed. */
  @Get('get-upload-file')
  @FlowAccess({ flowIdIn: 'query', parameter: 'chatflowId', rateLimit: false, missCountsOnce: true })
  async read(
    @Req() request: Request,
    @Res() response: Response,
    @ValidQuery(fileQuery) query: z.infer<typeof fileQuery>,
  ): Promise<void> {
    const flowId = query.chatflowId ?? query.chatflowid;
    if (flowId === undefined) throw new InvalidRequest([{ path: 'chatflowId', message: 'is required' }]);
    await this.door.admit(request, flowId, { rateLimit: false, missCountsOnce: true });
    const { file, stream } = await this.files.open({ flowId, chatId: query.chatId }, query.fileName);
    response.setHeader('Content-Type', 'application/octet-stream');
    response.setHeader('Content-Length', file.bytes);
    response.attachment(file.name);
    await pipeline(stream, response);
  }
}

async function readWhole(file: IncomingFile): Promise<IncomingAttachment> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream) chunks.push(chunk as Buffer);
  return { name: file.name || 'file', mime: file.mime, bytes: Buffer.concat(chunks) };
}
