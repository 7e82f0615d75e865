import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { NotFound } from '../common/service-error.js';
import { ValidQuery } from '../common/valid-body.decorator.js';
import { InspectionSessions, type SessionView } from './inspection-sessions.js';
import { SessionAccess } from './session-access.js';
import { SessionStream } from './session-stream.js';

const page = z.object({
  flowId: z.string().max(64).optional(),
  q: z.string().max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional(),
});
const one = z.object({ flowId: z.string().max(64).optional() });

/** What inspections hold, for the admin key or the flow's key (contract section 5). */
@Controller('api/v1/inspection/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: InspectionSessions,
    private readonly access: SessionAccess,
    private readonly streams: SessionStream,
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
