import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { chatMessage } from '../../api/chats.js';
import { answered } from '../../api/route-note.js';
import { pageSchema } from '../../api/shapes.js';
import { flowAccessOf } from '../../auth/flow-call.js';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { isItsOwnKey } from '../../auth/own-session.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { identifier } from '../../common/texts/identifier.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { isExecutionId } from '../../executions/execution-id.js';
import { chatMessages } from './chat-messages.js';

const MOST = 200;

const messageQuery = z.object({
  chatId: identifier,
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(MOST))
    .default(50),
  cursor: z.string().refine(isExecutionId, 'must be the nextCursor of an earlier page').optional(),
});

/** Reads the messages of a chat (contract section 7; permissions: contract section 5). */
@CrossOrigin()
@Controller('api/v1/chatmessage')
export class ChatMessagesController {
  constructor(private readonly reader: DatabaseReader) {}

  @Documented({
    summary: 'List the messages of a chat',
    description:
      'Newest first, for the key of the flow or the admin key; an unknown chat has none. On an open flow they need the admin ' +
      'key, since chat ids are telephone numbers, unless the chat’s id is a random UUID (version 4), which is itself the ' +
      'key to its own chat. Very long messages make a page shorter than `limit`.',
    access: 'admin-or-flow',
    query: { chatId: 'The chat, in full.', limit: 'At most 200; the default is 50.' },
    answers: answered('The messages.', pageSchema(chatMessage)),
  })
  @Get(':flowId')
  @Header('Cache-Control', 'no-store')
  @RequiresFlowAccess({ rateLimit: false, missCountsOnce: true, adminPasses: true })
  list(@Req() request: Request, @ValidQuery(messageQuery) query: z.infer<typeof messageQuery>) {
    const { flow, isAdmin, apiKeyId } = flowAccessOf(request);
    const { chatId, limit, cursor } = query;
    if (!isAdmin && apiKeyId === undefined && !isItsOwnKey(chatId)) throw new InvalidApiKey(request);
    return chatMessages(this.reader, { flowId: flow.id, chatId }, { limit, cursor });
  }
}
