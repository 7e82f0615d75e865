import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { chatConfig, streamability } from '../../api/chats.js';
import { answered } from '../../api/route-note.js';
import { flowAccessOf } from '../../auth/flow-call.js';
import { RequiresFlowAccess } from '../../auth/guards/flow-access.js';
import { AppConfig } from '../../common/app-config.js';
import { CrossOrigin } from '../../common/http/cors.js';
import { Documented } from '../../common/http/route-table.js';
import { chatbotConfig } from './chatbot-config.js';

/** Describes a flow to chat clients (contract section 7). Needs no key, since neither answer holds a secret. */
@CrossOrigin()
@Controller('api/v1')
export class ChatflowController {
  constructor(private readonly config: AppConfig) {}

  /** The list of domains is not checked: clients rely on it. */
  @Documented({
    summary: 'Check whether a flow streams',
    answers: answered('The same that a streaming call would find.', streamability),
  })
  @Get('chatflows-streaming/:flowId')
  @RequiresFlowAccess({ key: false, domain: false, rateLimit: false, missCountsOnce: true })
  streaming(@Req() request: Request): { isStreaming: boolean } {
    return { isStreaming: flowAccessOf(request).flow.streamable };
  }

  @Documented({
    summary: 'Read the settings of a chat widget',
    description: 'Never prompts, credentials or model settings.',
    answers: answered('The configuration.', chatConfig),
  })
  @Get('public-chatbotConfig/:flowId')
  @RequiresFlowAccess({ key: false, rateLimit: false, missCountsOnce: true })
  look(@Req() request: Request): object {
    const { definition } = flowAccessOf(request).flow;
    return chatbotConfig(definition, Math.floor(this.config.maxPhotoBytes / 1024 / 1024));
  }
}
