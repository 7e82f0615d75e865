import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { answered } from '../../api/route-note.js';
import { things, type ThingsPage } from '../../api/things.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { OF_SESSION } from '../access/session-notes.js';
import { listThings } from './session-things.js';

const page = z.object({
  flowId: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional(),
});

/** Lists the things that an inspection has recorded (contract section 5). */
@Controller('api/v1/inspection/sessions/:sessionId/things')
export class ThingsController {
  constructor(private readonly reader: DatabaseReader) {}

  @Documented({
    ...OF_SESSION,
    summary: 'List what an inspection has recorded',
    description: `Photographs, remarks, observations, readings, keys, alarms, details and areas reported absent, without what was withdrawn: first the details, then area by area, the newest first within one. ${OF_SESSION.description}`,
    answers: answered('The things.', things),
  })
  @Get()
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  list(@Own() session: OwnSession, @ValidQuery(page) query: z.infer<typeof page>): Promise<ThingsPage> {
    return listThings(this.reader, session, query);
  }
}
