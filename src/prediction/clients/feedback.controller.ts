import { Controller, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { feedback, type FeedbackView, RATINGS } from '../../api/chats.js';
import { answered } from '../../api/route-note.js';
import { flowAccessOf } from '../../auth/flow-call.js';
import { FlowAccess, RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { Clock } from '../../common/clock.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { NotFound } from '../../common/service-error.js';
import { identifier } from '../../common/texts/identifier.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { chatKey } from '../../database/writes/write-keys.js';
import { newExecutionId as newRowId } from '../../executions/execution-id.js';
import { Feedback } from './feedback.entity.js';

const rating = z.enum(RATINGS);
const content = z.string().max(10_000);

const newFeedback = z.object({
  chatId: identifier,
  messageId: identifier,
  rating: rating.optional(),
  content: content.optional(),
});

const changedFeedback = z.object({ rating: rating.optional(), content: content.optional() });

const theFeedback = answered('The feedback.', feedback);

/** Stores thumbs and comments of chat clients on answers (contract section 7). */
@CrossOrigin()
@Controller('api/v1/feedback')
export class FeedbackController {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly access: FlowAccess,
    private readonly clock: Clock,
  ) {}

  @Documented({
    summary: 'Rate an answer',
    body: {
      members: { messageId: '`chatMessageId` of the answer.' },
      examples: {
        thumbs: {
          chatId: 'my-first-inspection',
          messageId: 'a-message',
          rating: 'THUMBS_UP',
          content: 'Helpful',
        },
      },
    },
    answers: theFeedback,
  })
  @Post(':flowId')
  @HttpCode(200)
  @RequiresFlowAccess({ rateLimit: false, missCountsOnce: true })
  async add(@Req() request: Request, @ValidBody(newFeedback) given: z.infer<typeof newFeedback>) {
    const at = this.clock.now();
    const row = {
      id: newRowId(at),
      flowId: flowAccessOf(request).flow.id,
      chatId: given.chatId,
      messageId: given.messageId,
      rating: given.rating ?? null,
      content: given.content ?? null,
      ...{ createdAt: at, updatedAt: at },
    };
    await this.gate.write((tx) => tx.repository(Feedback).insert(row), []);
    return shown(row);
  }

  /** The flow is that of the row; its checks apply. */
  @Documented({
    summary: 'Change a rating',
    errors: ['not_found', 'flow_not_found', 'invalid_api_key'],
    body: { examples: { comment: { rating: 'THUMBS_DOWN', content: 'The wrong address' } } },
    answers: theFeedback,
  })
  @Put(':feedbackId')
  @RequiresFlowAccess({ flowIdIn: 'query', rateLimit: false })
  async change(
    @Req() request: Request,
    @Param('feedbackId') id: string,
    @ValidBody(changedFeedback) given: z.infer<typeof changedFeedback>,
  ) {
    const found = await this.reader.repository(Feedback).findOneBy({ id });
    if (!found) throw new NotFound('The feedback');
    await this.access.admit(request, found.flowId, { rateLimit: false, missCountsOnce: true });
    // Only what was sent, so that a thumb and a comment sent together do not undo each other.
    const { rating, content } = given;
    const changed = {
      ...(rating === undefined ? {} : { rating }),
      ...(content === undefined ? {} : { content }),
      updatedAt: this.clock.now(),
    };
    const touched = [chatKey(found.flowId, found.chatId)];
    await this.gate.write((tx) => tx.repository(Feedback).update({ id }, changed), touched);
    return shown({ ...found, ...changed });
  }
}

const shown = ({ id, flowId, chatId, messageId, rating, content, createdAt }: Feedback): FeedbackView => ({
  id,
  chatflowid: flowId,
  ...{ chatId, messageId, rating, content },
  createdDate: isoTime(createdAt),
});
