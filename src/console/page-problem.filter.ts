import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ProblemFilter } from '../common/http/problem.filter.js';
import { ServiceError } from '../common/service-error.js';
import { sendPage } from './web-pages.js';

/** Titles and sentences for a person at a browser, by code. */
const words: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  flow_not_found: [
    'This chat does not exist',
    'The address may have been mistyped or cut off. Check it, or ask whoever sent you the link for a new one.',
  ],
  share_link_not_public: [
    'This chat is not open to visitors',
    'Its owner has not published it, or has closed it again. Ask them to make the share link public.',
  ],
  flow_disabled: ['This chat is switched off', 'Its owner has switched it off for now. Try again later.'],
  address_blocked: [
    'Too many wrong addresses',
    'Your network requested several chats that do not exist, so it is blocked for now.',
  ],
};

/**
 * Answers a browser that is refused a page with a page that explains what to do, with the same status. Other callers get
 * the usual problem (contract sections 1 and 4).
 */
@Catch()
export class PageProblemFilter implements ExceptionFilter {
  constructor(private readonly problems: ProblemFilter) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    response.vary('Accept');
    if (!(thrown instanceof ServiceError) || response.headersSent || !wantsPage(request))
      return this.problems.answer(thrown, request, response);
    try {
      await this.answer(thrown, response);
    } catch {
      // The pages are not built: answer with the problem itself.
      this.problems.answer(thrown, request, response);
    }
  }

  private async answer(error: ServiceError, response: Response): Promise<void> {
    const [title, detail] = words[error.code] ?? ['This page cannot be shown', error.message];
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    await sendPage(response, error.status, 'problem', {
      title,
      detail: detail + waitInWords(error.headers['Retry-After']),
      status: String(error.status),
      code: error.code,
    });
  }
}

const wantsPage = (request: Request): boolean =>
  request.accepts(['application/problem+json', 'text/html']) === 'text/html';

function waitInWords(retryAfter: string | undefined): string {
  if (retryAfter === undefined) return '';
  const minutes = Math.ceil(Number(retryAfter) / 60);
  return minutes > 1 ? ` Try again in ${minutes} minutes.` : ' Try again in a minute.';
}
