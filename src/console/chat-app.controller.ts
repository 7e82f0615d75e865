import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { BYTES, pageNote, type RouteNote } from '../api/route-note.js';
import { Documented } from '../common/http/route-table.js';
import { sendBuiltFile, sendPage } from './web-pages.js';

const MINUTES_5 = 'public, max-age=300';

const icon = (size: string): RouteNote => ({
  summary: `The icon of the hosted chat page as an app, ${size}`,
  errors: ['pages_not_built'],
  answers: { 200: { description: 'The picture.', content: { 'image/png': BYTES } } },
});

/**
 * Files that let a browser install the chat page and open it without a connection. They hold nothing about a flow. Their
 * names have dots, which no flow's id has.
 */
@Controller('chat')
export class ChatAppController {
  /** The chat page without a chat: a browser shows it while it has no connection. */
  @Documented(pageNote('The offline page of the hosted chat page'))
  @Get('offline.html')
  async offline(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'chat', { name: 'Chat', chat: '', takes: '' });
  }

  /** Revalidated at each visit, so that another build replaces it. It may fetch from this origin, and do nothing else. */
  @Documented({
    summary: 'The service worker of the hosted chat page',
    description: 'Caches the files of the page itself, never an answer of `/api/`.',
    errors: ['pages_not_built'],
    answers: { 200: { description: 'The script.', content: { 'text/javascript': { type: 'string' } } } },
  })
  @Get('worker.js')
  async worker(@Res() response: Response): Promise<void> {
    response.setHeader('Content-Security-Policy', "default-src 'none'; connect-src 'self'");
    await sendBuiltFile(response, 'chat-worker.js', 'text/javascript; charset=utf-8', 'no-cache');
  }

  @Documented(icon('192 × 192'))
  @Get('icon-192.png')
  async small(@Res() response: Response): Promise<void> {
    await sendBuiltFile(response, 'icon-192.png', 'image/png', MINUTES_5);
  }

  @Documented(icon('512 × 512'))
  @Get('icon-512.png')
  async large(@Res() response: Response): Promise<void> {
    await sendBuiltFile(response, 'icon-512.png', 'image/png', MINUTES_5);
  }

  @Documented(icon('512 × 512, to be cut to a shape'))
  @Get('icon-maskable.png')
  async maskable(@Res() response: Response): Promise<void> {
    await sendBuiltFile(response, 'icon-maskable.png', 'image/png', MINUTES_5);
  }
}
