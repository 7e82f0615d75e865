import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { asyncRun } from '../../api/predictions.js';
import { answered } from '../../api/route-note.js';
import { flowAccessOf } from '../../auth/flow-call.js';
import { FlowAccess, RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import { AsyncRunStore, type AsyncStatus } from '../../executions/async/async-run-store.js';
import { isExecutionId } from '../../executions/execution-id.js';
import { neutralFailure } from '../call/prediction-answer.js';

/** The state of a run whose caller did not wait (contract section 3). */
@CrossOrigin()
@Controller('api/v1/prediction')
export class RunsController {
  constructor(
    private readonly runs: AsyncRunStore,
    private readonly access: FlowAccess,
  ) {}

  @Documented({
    summary: 'Read the state of an asynchronous run',
    description:
      '`name` is the token of the `Location` that the call was answered; an execution id opens it only with the key of the flow or the admin key. Always 200: `status` as in the record, and once it has ended its `answer` or its `error`, which says why a flow failed only with one of these keys. Once the flow is deleted, the token alone opens it.',
    access: 'admin-or-flow',
    answers: answered('Its state.', asyncRun),
  })
  @Get(':flowId/runs/:name')
  @RequiresFlowAccess({ rateLimit: false, adminPasses: true, deletedToo: true, disabledToo: true })
  async status(
    @Req() request: Request,
    @Param('flowId') flowId: string,
    @Param('name') name: string,
  ): Promise<AsyncStatus> {
    const isGone = this.access.isFlowGone(request);
    const { apiKeyId, isAdmin } = isGone ? WITHOUT_KEY : flowAccessOf(request);
    const byId = isExecutionId(name);
    const hasKey = apiKeyId !== undefined || isAdmin;
    const status = !byId || hasKey ? await this.runs.status(flowId, name, byId) : undefined;
    if (!status) throw isGone ? await this.access.refusalOfGone(request) : new NotFound('The run');
    return hasKey || status.error === undefined ? status : { ...status, error: neutralFailure(status.error) };
  }
}

const WITHOUT_KEY = { apiKeyId: undefined, isAdmin: false };
