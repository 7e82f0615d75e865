import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { FlowAccess } from '../../auth/flow-access.decorator.js';
import { flowAccessOf } from '../../auth/flow-access.js';
import { NotFound } from '../../common/service-error.js';
import { isExecutionId } from '../../executions/execution-id.js';
import { AsyncRunStore, type AsyncStatus } from '../../executions/calls/async-run-store.js';

/** How a run is that its caller did not wait for (contract section 3). */
@Controller('api/v1/prediction')
export class RunsController {
  constructor(private readonly runs: AsyncRunStore) {}

  /** By the token of its `Location`; an execution id opens it only with the flow's key or the admin key. */
  @Get(':flowId/runs/:name')
  @FlowAccess({ rateLimit: false, adminPasses: true })
  async status(@Req() request: Request, @Param('name') name: string): Promise<AsyncStatus> {
    const { flow, apiKeyId, isAdmin } = flowAccessOf(request);
    const byId = isExecutionId(name);
    const mayRead = !byId || apiKeyId !== undefined || isAdmin;
    const status = mayRead ? await this.runs.status(flow.id, name, byId) : undefined;
    if (!status) throw new NotFound('The run');
    return status;
  }
}
