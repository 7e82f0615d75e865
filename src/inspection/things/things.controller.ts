import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { answered } from '../../api/route-note.js';
import { things, type ThingsPage } from '../../api/things.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { listThings } from './session-things.js';

const page = z.object({
  flowId: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional(),
});

/** The things that an inspection has recorded (contract section 5). */
@Controller('api/v1/inspection/sessions/:sessionId/things')
export class ThingsController {
  constructor(private readonly reader: DatabaseReader) {}

  @Documented({
    summary: 'List what an inspection has recorded',
    description:
      'Photographs, remarks, observations, readings, keys, alarms, details and areas reported absent, without what was withdrawn: first the details, then area by area, the newest first within one. For the admin key or the flow’s key; on an open flow for whoever sends a session id that is a version 4 UUID.',
    access: 'own-session',
    query: {
      flowId:
        'The flow of the session; required where several of the caller’s flows have a session of this id.',
    },
    errors: ['flow_not_found', 'not_found', 'invalid_request'],
    answers: answered('The things.', things),
  })
  @Get()
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  list(@Own() session: OwnSession, @ValidQuery(page) query: z.infer<typeof page>): Promise<ThingsPage> {
    return listThings(this.reader, session, query);
  }
}
