import { Controller, Get, Header, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import { type OwnSession, SessionAccess } from '../access/session-access.js';
import type { SessionAddress } from '../session.js';
import { InspectionSessions, type SessionView } from './inspection-sessions.js';
import {
  messagesQuery,
  photographsOfMessages,
  type PhotographsOfMessages,
} from './photographs-of-messages.js';
import { SessionStream } from './session-stream.js';
import type { SessionSummary } from './session-summary.js';

const page = z.object({
  flowId: z.string().max(64).optional(),
  q: z.string().max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional(),
});
const one = z.object({ flowId: z.string().max(64).optional() });

/** How far an inspection is, without its photographs: `session` of a capture's answer. */
export interface SessionAreas extends SessionAddress, SessionSummary {}

/**
 * The sessions of inspections, for the admin key or the flow's key; `areas` and `photographs` are the session's own
 * (contract section 5).
 */
@Controller('api/v1/inspection/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: InspectionSessions,
    private readonly access: SessionAccess,
    private readonly streams: SessionStream,
    private readonly reader: DatabaseReader,
  ) {}

  @Get()
  async list(@ValidQuery(page) query: z.infer<typeof page>, @Req() request: Request) {
    await this.access.toList(request, query.flowId);
    return this.sessions.list(query);
  }

  @Get(':sessionId')
  async get(
    @Param('sessionId') sessionId: string,
    @ValidQuery(one) query: z.infer<typeof one>,
    @Req() request: Request,
  ): Promise<SessionView> {
    const flowId = await this.access.toSession(request, sessionId, query.flowId);
    const session = await this.sessions.find(flowId, sessionId);
    if (!session) throw new NotFound('This inspection session');
    return session;
  }

  /** Before the first photograph too: no areas, and everything outstanding. */
  @Get(':sessionId/areas')
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  async areas(
    @Own() { flowId, sessionId }: OwnSession,
    @ValidQuery(one) _query: z.infer<typeof one>,
  ): Promise<SessionAreas> {
    return { sessionId, flowId, ...(await this.sessions.summary(flowId, sessionId)) };
  }

  /** The photographs that were sent with these message ids, as they stand by now. */
  @Get(':sessionId/photographs')
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  ofMessages(
    @Own() session: OwnSession,
    @ValidQuery(messagesQuery) { messageId }: z.infer<typeof messagesQuery>,
  ): Promise<PhotographsOfMessages> {
    return photographsOfMessages(this.reader, session, messageId);
  }

  /** Server-Sent Events: the session's summary now, and again whenever it changes. */
  @Get(':sessionId/stream')
  async stream(
    @Param('sessionId') sessionId: string,
    @ValidQuery(one) query: z.infer<typeof one>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const flowId = await this.access.toSession(request, sessionId, query.flowId);
    this.streams.open(response, flowId, sessionId);
  }
}
