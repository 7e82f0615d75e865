import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/http/own-origin.js';
import { WebPages } from './web-pages.js';

/** Public routes: the front page, and the files of the pages. */
@Controller()
export class WebController {
  constructor(
    private readonly pages: WebPages,
    private readonly config: AppConfig,
  ) {}

  /** The front page: the name of the service and where to read on. Names no flow. */
  @Get()
  async welcome(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.pages.send(response, 200, 'welcome', { origin: linkOrigin(request, this.config) });
  }

  @Get('web/assets/:name')
  async asset(@Param('name') name: string, @Res() response: Response): Promise<void> {
    await this.pages.sendAsset(response, name);
  }
}
