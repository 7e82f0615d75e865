import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { flowAccessOf } from '../../auth/flow-call.js';
import { RequiresFlowAccess } from '../../auth/guards/requires-flow-access.decorator.js';
import { AppConfig } from '../../common/app-config.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { chatbotConfig } from './chatbot-config.js';

/** The questions of chat clients about a flow before they talk to it (contract section 7). No key: neither answer holds a secret. */
@CrossOrigin()
@Controller('api/v1')
export class ChatflowController {
  constructor(private readonly config: AppConfig) {}

  /** Answers as a streaming call would behave: clients rely on it. The list of domains is not checked. */
  @Get('chatflows-streaming/:flowId')
  @RequiresFlowAccess({ key: false, domain: false, rateLimit: false, missCountsOnce: true })
  streaming(@Req() request: Request): { isStreaming: boolean } {
    return { isStreaming: flowAccessOf(request).flow.streamable };
  }

  /** How the widget shall look: never prompts, credentials or model settings. */
  @Get('public-chatbotConfig/:flowId')
  @RequiresFlowAccess({ key: false, rateLimit: false, missCountsOnce: true })
  look(@Req() request: Request): object {
    const { definition } = flowAccessOf(request).flow;
    return chatbotConfig(definition, Math.floor(this.config.maxPhotoBytes / 1024 / 1024));
  }
}
