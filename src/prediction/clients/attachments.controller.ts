import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { attachments, type AttachmentView } from '../../api/chats.js';
import { answered, BYTES, files } from '../../api/route-note.js';
import { flowAccessOf } from '../../auth/flow-call.js';
import { FlowAccess, RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { isItsOwnKey } from '../../auth/own-session.js';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { checked, ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { clientAddress } from '../../common/http/client-address.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { shownName } from '../../common/texts/file-name.js';
import { identifier } from '../../common/texts/identifier.js';
import { whoIs } from '../../executions/calls/call-key.js';
import { ChatFiles } from './chat-files.js';
import { takesPictures } from './chat-uploads.js';

const fileQuery = z.object({
  chatflowid: z.string().optional(),
  chatflowId: z.string().optional(),
  chatId: z.string(),
  fileName: z.string(),
});

const READING = { rateLimit: false, missCountsOnce: true, adminPasses: true };

/** Stores and returns files that a user attaches to a chat (contract section 7). */
@CrossOrigin()
@Controller('api/v1')
export class AttachmentsController {
  constructor(
    private readonly files: ChatFiles,
    private readonly access: FlowAccess,
  ) {}

  @Documented({
    summary: 'Attach files to a chat',
    description:
      'Texts of at most 5 MB each, whose content is returned; and, where the flow takes pictures, photographs that wait up to 24 hours for their message: it names each in `uploads` as `{ type: "stored-file", name }`. A `capture` node records such a photograph once, however often its message is sent. All files of a call are stored, or none.',
    errors: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    body: { multipart: { type: 'object', properties: files('files', '1 to 20 files.') }, examples: {} },
    answers: answered('The stored files, with the names that read them.', attachments),
  })
  @Post('attachments/:flowId/:chatId')
  @HttpCode(200)
  @RequiresFlowAccess({ missCountsOnce: true })
  async add(@Req() request: Request, @Param('chatId') chatId: string): Promise<AttachmentView[]> {
    checked(z.object({ chatId: identifier }), { chatId });
    if (!isMultipart(request)) {
      throw new ServiceError('unsupported_media_type', 'Send the files as multipart/form-data.');
    }
    const { flow, apiKeyId } = flowAccessOf(request);
    const caller = whoIs({
      address: clientAddress(request),
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
    });
    const pictures = takesPictures(flow.definition);
    return this.files.attach(request, { flowId: flow.id, chatId }, { pictures, caller });
  }

  @Documented({
    summary: 'Read a file of a chat',
    description:
      '`fileName` is the name that the service issued, which cannot be guessed. With the key of the flow or the admin key, and in a chat whose id is a random UUID (version 4), it may also be the name that the user gave the file.',
    errors: ['not_found', 'flow_not_found', 'invalid_api_key'],
    answers: { 200: { description: 'The bytes.', content: { 'application/octet-stream': BYTES } } },
  })
  @Get('get-upload-file')
  @RequiresFlowAccess({ flowIdIn: 'query', parameter: 'chatflowId', ...READING })
  async read(
    @Req() request: Request,
    @Res() response: Response,
    @ValidQuery(fileQuery) query: z.infer<typeof fileQuery>,
  ): Promise<void> {
    const flowId = query.chatflowId ?? query.chatflowid;
    if (flowId === undefined) throw new InvalidRequest([{ path: 'chatflowId', message: 'is required' }]);
    const { isAdmin, apiKeyId } = await this.access.admit(request, flowId, READING);
    const { chatId, fileName } = query;
    const readsChat = isAdmin || apiKeyId !== undefined || isItsOwnKey(chatId);
    const { file, stream } = await this.files.open({ flowId, chatId }, fileName, readsChat);
    // Older names were issued unchanged.
    response.attachment(shownName(file.name, 'file'));
    // Set after the name, which would turn a text ending in .js into a script: nothing here is to be run or
    // shown.
    response.setHeader('Content-Type', 'application/octet-stream');
    response.setHeader('Content-Length', file.bytes);
    await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
      // The caller has gone away.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }
}
