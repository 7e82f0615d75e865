import { Controller, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { FlowAccess } from '../../auth/flow-access.decorator.js';
import { flowAccessOf } from '../../auth/flow-access.js';
import { FlowDoor } from '../../auth/flow-door.js';
import { Clock, isoTime } from '../../common/clock.js';
import { NotFound } from '../../common/service-error.js';
import { ValidBody } from '../../common/valid-body.decorator.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/write-gate.js';
import { newExecutionId as newRowId } from '../../executions/execution-id.js';

const rating = z.enum(['THUMBS_UP', 'THUMBS_DOWN']);
const content = z.string().max(10_000);

const newFeedback = z.object({
  chatId: z.string().min(1).max(256),
  messageId: z.string().min(1).max(256),
  rating: rating.optional(),
  content: content.optional(),
});

const changedFeedback = z.object({ rating: rating.optional(), content: content.optional() });

interface FeedbackRow {
  id: string;
  flow_id: string;
  chat_id: string;
  message_id: string;
  rating: string | null;
  content: string | null;
  created_at: number;
}

const COLUMNS = 'id, flow_id, chat_id, message_id, rating, content, created_at';

/** Thumbs and comments on answers, as chat clients send them (contract section 7). */
@Controller('api/v1/feedback')
export class FeedbackController {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly door: FlowDoor,
    private readonly clock: Clock,
  ) {}

  @Post(':flowId')
  @HttpCode(200)
  @FlowAccess({ rateLimit: false, missCountsOnce: true })
  async add(@Req() request: Request, @ValidBody(newFeedback) given: z.infer<typeof newFeedback>) {
    const at = this.clock.now();
    const row: FeedbackRow = {
      id: newRowId(at),
      flow_id: flowAccessOf(request).flow.id,
      chat_id: given.chatId,
      message_id: given.messageId,
      rating: given.rating ?? null,
      content: given.content ?? null,
      created_at: at,
    };
    await this.gate.write((tx) =>
      tx.run(`INSERT INTO feedback (${COLUMNS}, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
        ...[row.id, row.flow_id, row.chat_id, row.message_id, row.rating, row.content],
        ...[at, at],
      ]),
    );
    return shown(row);
  }

  /** Whose flow it belongs to stands in the row: the checks of that flow apply. */
  @Put(':feedbackId')
  @FlowAccess({ flowIdIn: 'query', rateLimit: false })
  async change(
    @Req() request: Request,
    @Param('feedbackId') id: string,
    @ValidBody(changedFeedback) given: z.infer<typeof changedFeedback>,
  ) {
    const found = await this.reader.one<FeedbackRow>(`SELECT ${COLUMNS} FROM feedback WHERE id = ?`, [id]);
    if (!found) throw new NotFound('The feedback');
    await this.door.admit(request, found.flow_id, { rateLimit: false, missCountsOnce: true });
    const row = {
      ...found,
      rating: given.rating ?? found.rating,
      content: given.content ?? found.content,
    };
    await this.gate.write((tx) =>
      tx.run('UPDATE feedback SET rating = ?, content = ?, updated_at = ? WHERE id = ?', [
        row.rating,
        row.content,
        this.clock.now(),
        id,
      ]),
    );
    return shown(row);
  }
}

const shown = (row: FeedbackRow) => ({
  id: row.id,
  chatflowid: row.flow_id,
  chatId: row.chat_id,
  messageId: row.message_id,
  rating: row.rating,
  content: row.content,
  createdDate: isoTime(row.created_at),
});
