import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { FlowAccess } from '../../auth/flow-access.decorator.js';
import { flowAccessOf } from '../../auth/flow-access.js';
import { chatbotConfig } from './chatbot-config.js';

/** What chat clients ask about a flow before they talk to it (contract section 7). No key: neither tells anything. */
@Controller('api/v1')
export class ChatflowController {
  /** Says the same as a streaming call would: clients trust it blindly. The list of domains is not asked. */
  @Get('chatflows-streaming/:flowId')
  @FlowAccess({ key: false, domain: false, rateLimit: false, missCountsOnce: true })
  streaming(@Req() request: Request): { isStreaming: boolean } {
    return { isStreaming: flowAccessOf(request).flow.streamable };
  }

  /** How the widget shall look: never prompts, credentials or model settings. */
  @Get('public-chatbotConfig/:flowId')
  @FlowAccess({ key: false, rateLimit: false, missCountsOnce: true })
  config(@Req() request: Request): object {
    return chatbotConfig(flowAccessOf(request).flow.definition);
  }
}
