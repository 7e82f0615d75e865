import { Controller, Get, Header, Patch, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { InvalidRequest } from '../../common/service-error.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { MOST_DETAILS_BYTES } from './details-rows.js';
import { type DetailsAnswer, InspectionDetails } from './inspection-details.js';
import { readDetailsChange } from './read-details.js';

const query = z.object({ flowId: z.string().optional() });

/** The record of an inspection, for whoever may read and change what is the session's own (contract section 5). */
@Controller('api/v1/inspection/sessions/:sessionId/details')
@UseGuards(OwnSessionGuard)
export class DetailsController {
  constructor(private readonly details: InspectionDetails) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  read(@Own() session: OwnSession, @ValidQuery(query) _query: z.infer<typeof query>): Promise<DetailsAnswer> {
    return this.details.read(session);
  }

  /** Replaces the members that are sent; `null` removes one. */
  @Patch()
  async change(
    @Own() session: OwnSession,
    @ValidQuery(query) _query: z.infer<typeof query>,
    @Req() request: Request,
  ): Promise<DetailsAnswer> {
    const body = await readJsonBody(request, MOST_DETAILS_BYTES);
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new InvalidRequest([{ path: '', message: 'must be an object with the members to be changed' }]);
    return this.details.change(session, readDetailsChange(body));
  }
}
