import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { FlowAccess } from '../auth/flow-access.decorator.js';
import { flowAccessOf } from '../auth/flow-access.js';

/** What chat clients ask about a flow before they talk to it (contract section 7). No key: neither tells anything. */
@Controller('api/v1')
export class ChatflowController {
  /** Says the same as a streaming call would: clients trust it blindly. */
  @Get('chatflows-streaming/:flowId')
  @FlowAccess({ key: false, rateLimit: false, missCountsOnce: true })
  streaming(@Req() request: Request): { isStreaming: boolean } {
    return { isStreaming: flowAccessOf(request).flow.streamable };
  }
}
