import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FlowAccess } from '../auth/flow-access.decorator.js';
import { flowAccessOf } from '../auth/flow-access.js';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/own-origin.js';
import { brandOf } from '../flows/definition/chat-brand.js';
import { BrandLogos } from './brand-logos.js';
import { ChatVisitGuard } from './chat-visit.guard.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { WebPages } from './web-pages.js';

/** The page asks for no key, domain or rate; its calls do. */
const page = { key: false, domain: false, shareLink: true, rateLimit: false, missCountsOnce: true };

/** The share link of a flow (contract section 4): a chat page, where the flow's owner has made it public. */
@Controller('chat')
@UseFilters(PageProblemFilter)
@UseGuards(ChatVisitGuard)
export class ChatPageController {
  constructor(
    private readonly pages: WebPages,
    private readonly logos: BrandLogos,
    private readonly config: AppConfig,
  ) {}

  /** Tells the page the flow's id, name and brand and whether to ask for a key: nothing else of the flow. */
  @Get(':flowId')
  @FlowAccess(page)
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow } = flowAccessOf(request);
    const chat = {
      id: flow.id,
      name: flow.name,
      keyed: flow.access.apiKeyId !== null,
      origin: linkOrigin(request, this.config),
      brand: { colour: brandOf(flow.definition.chat).colour, logo: this.logos.addressOf(flow) },
    };
    await this.pages.send(response, 200, 'chat', { name: flow.name, chat: JSON.stringify(chat) });
  }

  /** The flow's logo, under the page's own address. */
  @Get(':flowId/logo')
  @FlowAccess(page)
  logo(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.logos.send(flowAccessOf(request).flow, response);
  }
}
