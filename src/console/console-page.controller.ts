import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { WebPages } from './web-pages.js';

/** The console: one page under every address that it has. It holds no data: what it shows, it asks of the API. */
@Controller('console')
export class ConsolePageController {
  constructor(private readonly pages: WebPages) {}

  @Get(['', ':area', ':area/:item', ':area/:item/:part'])
  async open(@Res() response: Response): Promise<void> {
    await this.pages.send(response, 200, 'console', {});
  }
}
