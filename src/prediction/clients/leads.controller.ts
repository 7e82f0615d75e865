import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { lead, type LeadView } from '../../api/chats.js';
import { answered } from '../../api/route-note.js';
import { FlowAccess, RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { Clock } from '../../common/clock.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { identifier } from '../../common/texts/identifier.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { newExecutionId as newRowId } from '../../executions/execution-id.js';
import { Lead } from './lead.entity.js';

const text = z.string().max(1_000).nullish();

const newLead = z.object({
  chatflowid: z.string(),
  chatId: identifier,
  name: text,
  email: text,
  phone: text,
});

/** Stores contact details sent by chat clients (contract section 7). */
@CrossOrigin()
@Controller('api/v1/leads')
export class LeadsController {
  constructor(
    private readonly gate: WriteGate,
    private readonly access: FlowAccess,
    private readonly clock: Clock,
  ) {}

  /** The checks of the flow run once the body, which names it, has been read. */
  @Documented({
    summary: 'Leave contact details in a chat',
    errors: ['flow_not_found', 'invalid_api_key'],
    body: {
      examples: {
        lead: {
          chatflowid: 'inspection-assistant',
          chatId: 'my-first-inspection',
          name: 'Duty Inspector',
          email: 'jordan@example.com',
        },
      },
    },
    answers: answered('The lead.', lead),
  })
  @Post()
  @HttpCode(200)
  @RequiresFlowAccess({ flowIdIn: 'query', rateLimit: false })
  async add(@Req() request: Request, @ValidBody(newLead) given: z.infer<typeof newLead>): Promise<LeadView> {
    const access = { rateLimit: false, missCountsOnce: true };
    const { flow } = await this.access.admit(request, given.chatflowid, access);
    const at = this.clock.now();
    const id = newRowId(at);
    const { chatId, name = null, email = null, phone = null } = given;
    const row = { id, flowId: flow.id, chatId, name, email, phone, createdAt: at };
    await this.gate.write((tx) => tx.repository(Lead).insert(row), []);
    return { id, chatflowid: flow.id, chatId, name, email, phone, createdDate: isoTime(at) };
  }
}
