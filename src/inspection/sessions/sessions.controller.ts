import { Controller, Get, Header, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import {
  messagePhotographs,
  type PhotographsOfMessages,
  session,
  type Session,
  sessionAreas,
  type SessionAreas,
  sessionEvent,
  sessionItem,
} from '../../api/inspections.js';
import { answered, eventsOf } from '../../api/route-note.js';
import { pageSchema } from '../../api/shapes.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { Logger } from '../../common/logger.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import { type OwnSession, SessionAccess } from '../access/session-access.js';
import { OF_SESSION } from '../access/session-notes.js';
import { SessionChanges } from '../session.js';
import { InspectionSessions } from './inspection-sessions.js';
import { messagesQuery, photographsOfMessages } from './photographs-of-messages.js';
import { streamSession } from './session-stream.js';

const page = z.object({
  flowId: z.string().max(64).optional(),
  q: z.string().max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional(),
});
const one = z.object({ flowId: z.string().max(64).optional() });

/**
 * Serves the sessions of inspections (contract section 5), with the admin key or the flow's key. For `areas` and
 * `photographs` the session id of an open flow is enough.
 */
@Controller('api/v1/inspection/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: InspectionSessions,
    private readonly access: SessionAccess,
    private readonly changes: SessionChanges,
    private readonly logger: Logger,
    private readonly reader: DatabaseReader,
  ) {}

  @Documented({
    summary: 'List inspection sessions',
    description:
      '`q` is a part of the session id, such as the end of a telephone number, or of the address, postcode or inspector in the details of the inspection.',
    access: 'admin-or-flow',
    answers: answered('The one that changed last first.', pageSchema(sessionItem)),
  })
  @Get()
  async list(@ValidQuery(page) query: z.infer<typeof page>, @Req() request: Request) {
    await this.access.toList(request, query.flowId);
    return this.sessions.list(query);
  }

  @Documented({
    summary: 'Read an inspection session',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: answered('The session.', session),
  })
  @Get(':sessionId')
  async get(
    @Param('sessionId') sessionId: string,
    @ValidQuery(one) query: z.infer<typeof one>,
    @Req() request: Request,
  ): Promise<Session> {
    const flowId = await this.access.toSession(request, sessionId, query.flowId);
    const found = await this.sessions.find(flowId, sessionId);
    if (!found) throw new NotFound('This inspection session');
    return found;
  }

  /** Answers also before the first photograph: without areas, and with everything outstanding. */
  @Documented({
    ...OF_SESSION,
    summary: 'Read the areas of an inspection and what is outstanding',
    description: `Its areas with the number of their photographs and remarks, and what is outstanding: \`session\` of a capture’s answer. ${OF_SESSION.description}`,
    answers: answered('The areas; none before the first capture.', sessionAreas),
  })
  @Get(':sessionId/areas')
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  async areas(
    @Own() { flowId, sessionId }: OwnSession,
    @ValidQuery(one) _query: z.infer<typeof one>,
  ): Promise<SessionAreas> {
    return { sessionId, flowId, ...(await this.sessions.summary(flowId, sessionId)) };
  }

  @Documented({
    ...OF_SESSION,
    summary: 'Look up photographs by their message ids',
    description: `The recorded ones, in the order of the ids in the query, with their own ids for corrections and prints. If several were sent with one message id, the first. ${OF_SESSION.description}`,
    answers: answered('The session and those photographs.', messagePhotographs),
  })
  @Get(':sessionId/photographs')
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  ofMessages(
    @Own() own: OwnSession,
    @ValidQuery(messagesQuery) { messageId }: z.infer<typeof messagesQuery>,
  ): Promise<PhotographsOfMessages> {
    return photographsOfMessages(this.reader, own, messageId);
  }

  @Documented({
    summary: 'Stream an inspection session as it changes',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: {
      200: {
        description: 'The session now, and again whenever it changes.',
        content: eventsOf(sessionEvent),
      },
    },
  })
  @Get(':sessionId/stream')
  async stream(
    @Param('sessionId') sessionId: string,
    @ValidQuery(one) query: z.infer<typeof one>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const flowId = await this.access.toSession(request, sessionId, query.flowId);
    streamSession(this.sessions, this.changes, this.logger, response, { flowId, sessionId });
  }
}
