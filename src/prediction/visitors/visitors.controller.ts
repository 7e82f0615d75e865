import { Controller, Get, Header, Param, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { lead, listedFeedback } from '../../api/chats.js';
import { answered } from '../../api/route-note.js';
import { pageSchema } from '../../api/shapes.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { VisitorLists } from './visitor-lists.js';

const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});
type Page = z.infer<typeof page>;

/** Lists feedback and leads of a flow's users, for admins (contract section 8). */
@Controller('api/v1')
@UseGuards(AdminGuard)
export class VisitorsController {
  constructor(
    private readonly lists: VisitorLists,
    private readonly flows: FlowStore,
  ) {}

  @Documented({
    summary: 'List the ratings of a flow',
    description:
      'Newest first. `question` and `answer` are the first 500 characters of the rated exchange; null where no message has the id.',
    errors: ['not_found'],
    query: { limit: 'At most 200; the default is 50.' },
    answers: answered('The feedback.', pageSchema(listedFeedback)),
  })
  @Get('feedback/:flowId')
  @Header('Cache-Control', 'no-store')
  async feedback(@Param('flowId') flowId: string, @ValidQuery(page) query: Page) {
    return this.lists.feedback(await this.known(flowId), query);
  }

  @Documented({
    summary: 'List the leads of a flow',
    description: 'Newest first.',
    errors: ['not_found'],
    query: { limit: 'At most 200; the default is 50.' },
    answers: answered('The leads.', pageSchema(lead)),
  })
  @Get('leads/:flowId')
  @Header('Cache-Control', 'no-store')
  async leads(@Param('flowId') flowId: string, @ValidQuery(page) query: Page) {
    return this.lists.leads(await this.known(flowId), query);
  }

  private async known(flowId: string): Promise<string> {
    if (!(await this.flows.find(flowId))) throw new NotFound('A flow with this id');
    return flowId;
  }
}
