import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendBuiltFile, sendPage } from './web-pages.js';

const MINUTES_5 = 'public, max-age=300';

/**
 * The files by which the chat page can be opened without a connection and be installed. Nothing here tells of a flow; the names have
 * dots, which no flow's id has.
 */
@Controller('chat')
export class ChatAppController {
  /** The chat page without a chat in it: what a browser shows while it has no connection. */
  @Get('offline.html')
  async offline(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'chat', { name: 'Chat', chat: '', takes: '' });
  }

  /** Asked for anew at each visit, so that another build replaces it. It may fetch from here, and do nothing else. */
  @Get('worker.js')
  async worker(@Res() response: Response): Promise<void> {
    response.setHeader('Content-Security-Policy', "default-src 'none'; connect-src 'self'");
    await sendBuiltFile(response, 'chat-worker.js', 'text/javascript; charset=utf-8', 'no-cache');
  }

  @Get('icon-192.png')
  async small(@Res() response: Response): Promise<void> {
    await sendBuiltFile(response, 'icon-192.png', 'image/png', MINUTES_5);
  }

  @Get('icon-512.png')
  async large(@Res() response: Response): Promise<void> {
    await sendBuiltFile(response, 'icon-512.png', 'image/png', MINUTES_5);
  }

  @Get('icon-maskable.png')
  async maskable(@Res() response: Response): Promise<void> {
    await sendBuiltFile(response, 'icon-maskable.png', 'image/png', MINUTES_5);
  }
}
