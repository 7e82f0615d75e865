import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CrossOrigin } from '../../common/http/cors.js';
import { FlowAccess } from '../../auth/flow-access.decorator.js';
import { flowAccessOf } from '../../auth/flow-access.js';
import { NotFound } from '../../common/service-error.js';
import { isExecutionId } from '../../executions/execution-id.js';
import { AsyncRunStore, type AsyncStatus } from '../../executions/async/async-run-store.js';
import { neutralFailure } from '../call/prediction-answer.js';

/** The state of a run whose caller did not wait (contract section 3). */
@CrossOrigin()
@Controller('api/v1/prediction')
export class RunsController {
  constructor(private readonly runs: AsyncRunStore) {}

  /**
   * By the token of its `Location`; an execution id opens it only with the flow's key or the admin key. Without one of
   * them a failure is told neutrally, whoever began the run: the address may have been told to several.
   */
  @Get(':flowId/runs/:name')
  @FlowAccess({ rateLimit: false, adminPasses: true })
  async status(@Req() request: Request, @Param('name') name: string): Promise<AsyncStatus> {
    const { flow, apiKeyId, isAdmin } = flowAccessOf(request);
    const byId = isExecutionId(name);
    const hasKey = apiKeyId !== undefined || isAdmin;
    const status = !byId || hasKey ? await this.runs.status(flow.id, name, byId) : undefined;
    if (!status) throw new NotFound('The run');
    return hasKey || status.error === undefined ? status : { ...status, error: neutralFailure(status.error) };
  }
}
