import { Controller, Get, Header, Patch, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { inspectionDetails, type InspectionDetailsView } from '../../api/inspections.js';
import { answered } from '../../api/route-note.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { InvalidRequest } from '../../common/service-error.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import { type OwnSession, SessionAccess } from '../access/session-access.js';
import { OF_SESSION } from '../access/session-notes.js';
import { metaChangeSchema } from '../report/meta-schema.js';
import { MOST_DETAILS_BYTES } from './details-rows.js';
import { InspectionDetails } from './inspection-details.js';
import { readDetailsChange } from './read-details.js';
import { withReadableReport } from './readable-report.js';

const FILLS =
  'A render fills what its own `meta` leaves out from there; `null` or `""` in its `meta` leaves a member blank.';

const query = z.object({ flowId: z.string().optional() });

/** Reads and changes the record of an inspection (contract section 5). */
@Controller('api/v1/inspection/sessions/:sessionId/details')
@UseGuards(OwnSessionGuard)
export class DetailsController {
  constructor(
    private readonly details: InspectionDetails,
    private readonly access: SessionAccess,
  ) {}

  @Documented({
    ...OF_SESSION,
    summary: 'Read the details of an inspection',
    description: `The members of \`meta\` that are known of it. ${FILLS} ${OF_SESSION.description}`,
    answers: answered('The record; empty while nothing is recorded.', inspectionDetails),
  })
  @Get()
  @Header('Cache-Control', 'no-store')
  read(
    @Own() session: OwnSession,
    @ValidQuery(query) _query: z.infer<typeof query>,
  ): Promise<InspectionDetailsView> {
    return this.details.read(session);
  }

  @Documented({
    ...OF_SESSION,
    summary: 'Change the details of an inspection',
    description: `Replaces the members that are sent, and no others; \`null\` removes one. An unknown or wrong one is dropped with a warning. At most 64 KiB. ${FILLS} ${OF_SESSION.description}`,
    body: {
      json: metaChangeSchema,
      examples: {
        property: { address: '14 Acacia Avenue, Leeds', postcode: 'LS1 4AP', assessor: 'Duty Inspector' },
        removal: { tenant: null },
      },
    },
    answers: answered('The record as it is now.', inspectionDetails),
  })
  @Patch()
  async change(
    @Own() session: OwnSession,
    @ValidQuery(query) _query: z.infer<typeof query>,
    @Req() request: Request,
  ): Promise<InspectionDetailsView> {
    const body = await readJsonBody(request, MOST_DETAILS_BYTES);
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new InvalidRequest([{ path: '', message: 'must be an object with the members to be changed' }]);
    const change = await withReadableReport(readDetailsChange(body), (id) =>
      this.access.mayReadReport(request, id),
    );
    return this.details.change(session, change);
  }
}
