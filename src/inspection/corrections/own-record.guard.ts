import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DatabaseReader } from '../../database/database-reader.js';
import { type OwnSession, SessionAccess } from '../access/session-access.js';
import { type SubjectKind, subjectOf } from './subject.js';

/** The kind of the record `:id` of a route. */
export const RecordOf = Reflector.createDecorator<SubjectKind>();

const opened = new WeakMap<Request, OwnSession>();
const ID = /^[0-9a-f-]{36}$/;

/**
 * Admits only calls that may read and change the record `:id`, before their body is read (`SessionAccess.openRecord`).
 * The handler takes its session as `@OwnOfRecord()`.
 */
@Injectable()
export class OwnRecordGuard implements CanActivate {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly reflector: Reflector,
    private readonly sessions: SessionAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const kind = this.reflector.getAllAndOverride(RecordOf, [context.getHandler(), context.getClass()]);
    const id = String(request.params.id);
    const found = ID.test(id) ? await subjectOf(this.reader, id, kind) : undefined;
    const place = found && { flowId: found.flowId, sessionId: found.sessionId };
    opened.set(request, await this.sessions.openRecord(request, place, `This ${kind}`));
    return true;
  }
}

/** The session of the record that `OwnRecordGuard` admitted the call to. */
export const OwnOfRecord = createParamDecorator((_: unknown, context: ExecutionContext): OwnSession => {
  const session = opened.get(context.switchToHttp().getRequest<Request>());
  if (!session) throw new Error('no record was opened: the route lacks OwnRecordGuard');
  return session;
});
