import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { ShareLinkNotPublic } from '../auth/guards/allowed-domains.guard.js';

/**
 * The same 403 for every id, before any flow is looked up, where the browser says that nobody opens the chat: a picture,
 * script or frame of another site, which could otherwise find out ids and have its visitors' address blocked (contract
 * section 4).
 */
@Injectable()
export class ChatVisitGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isVisit(context.switchToHttp().getRequest<Request>().headers)) return true;
    throw new ShareLinkNotPublic();
  }
}

/**
 * Whether a request for `/chat/…` may be that of a person: a top-level navigation from anywhere, what our own pages show
 * (the logo) or name (the manifest), or a caller that says nothing. A mode alone says nothing: programs send one, browsers all three.
 */
export function isVisit(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-dest': use, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  if (use === undefined && site === undefined) return true;
  if (site === 'same-origin' && (use === 'image' || use === 'manifest' || isFrame(use))) return true;
  return (use === undefined ? mode === 'navigate' : use === 'document') && !isAhead(headers);
}

const isFrame = (use: string | string[] | undefined): boolean => use === 'iframe' || use === 'frame';

/** A page may have the browser fetch a navigation that nobody has made. */
const isAhead = ({ 'sec-purpose': purpose }: IncomingHttpHeaders): boolean =>
  String(purpose ?? '').includes('prefetch');
