import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type OwnSession, SessionAccess } from './session-access.js';

const opened = new WeakMap<Request, OwnSession>();

/**
 * Admits only calls that may read and change the session `:sessionId` (of the flow `?flowId=`), before their body is read
 * (`SessionAccess`). The handler takes the session as `@Own()`.
 */
@Injectable()
export class OwnSessionGuard implements CanActivate {
  constructor(private readonly sessions: SessionAccess) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { sessionId } = request.params;
    opened.set(request, await this.sessions.open(request, String(sessionId), flowIdOf(request)));
    return true;
  }
}

/** The session that `OwnSessionGuard` admitted the call to. */
export const Own = createParamDecorator((_: unknown, context: ExecutionContext): OwnSession => {
  const session = opened.get(context.switchToHttp().getRequest<Request>());
  if (!session) throw new Error('no session was opened: the route lacks OwnSessionGuard');
  return session;
});

/** Returns the flow id of the query; undefined if absent or empty. A repeated one counts as an unknown flow. */
function flowIdOf({ query: { flowId } }: Request): string | undefined {
  if (flowId === undefined || flowId === '') return undefined;
  return typeof flowId === 'string' ? flowId : '?';
}
