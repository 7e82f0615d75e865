import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { flowAccessOf } from '../../auth/flow-call.js';
import { InvalidApiKey } from '../../auth/guards/api-key.guard.js';
import { RequiresFlowAccess } from '../../auth/guards/requires-flow-access.decorator.js';
import { isItsOwnKey } from '../../auth/own-session.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { identifier } from '../../common/texts/identifier.js';
import { isExecutionId } from '../../executions/execution-id.js';
import { ChatMessages } from './chat-messages.js';

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
  constructor(private readonly messages: ChatMessages) {}

  /**
   * Lists messages for the flow's key or the admin key. On an open flow the chat id must be one that nobody can guess,
   * because others are telephone numbers.
   */
  @Get(':flowId')
  @Header('Cache-Control', 'no-store')
  @RequiresFlowAccess({ rateLimit: false, missCountsOnce: true, adminPasses: true })
  list(@Req() request: Request, @ValidQuery(messageQuery) query: z.infer<typeof messageQuery>) {
    const { flow, isAdmin, apiKeyId } = flowAccessOf(request);
    const { chatId, limit, cursor } = query;
    if (!isAdmin && apiKeyId === undefined && !isItsOwnKey(chatId)) throw new InvalidApiKey(request);
    return this.messages.page({ flowId: flow.id, chatId }, { limit, cursor });
  }
}
