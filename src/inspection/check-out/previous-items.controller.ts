import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { previousItems, type PreviousItemsPage } from '../../api/previous-items.js';
import { answered } from '../../api/route-note.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { cursorOf, readCursor } from '../../common/json/cursor.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { OF_SESSION } from '../access/session-notes.js';
import type { AreaType } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { ClaimService } from '../claims/claim.service.js';
import { readDetails } from '../details/details-rows.js';
import type { FactWords } from '../facts/fact.js';
import { buildReport } from '../report/build-report.js';
import { previousReportIn } from '../report/front-matter.js';
import type { SessionAddress } from '../session.js';
import { listPreviousItems, type RecordedItem } from './previous-items.js';

const page = z.object({
  flowId: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(200),
  cursor: z.string().max(200).optional(),
});

/** The place of the first item of a page in the report, which never changes. */
const position = z.tuple([z.int().min(0)]);

/** Lists the items of the check-in that an inspection names in its details (contract section 5). */
@Controller('api/v1/inspection/sessions/:sessionId/previous-items')
export class PreviousItemsController {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly claims: ClaimService,
  ) {}

  @Documented({
    ...OF_SESSION,
    summary: 'List the items of the check-in',
    description: `At a check-out: the items that the report named by \`previousReport\` in the details describes, each with the observation of this session that describes it. Record \`{ item, asBefore: true }\` under its area for one that is as it was. ${OF_SESSION.description}`,
    answers: answered('The items.', previousItems),
  })
  @Get()
  @Header('Cache-Control', 'no-store')
  @UseGuards(OwnSessionGuard)
  async list(
    @Own() session: OwnSession,
    @ValidQuery(page) { limit, cursor }: z.infer<typeof page>,
  ): Promise<PreviousItemsPage> {
    const [from] = cursor === undefined ? [0] : readCursor(cursor, position);
    const named = previousReportIn((await readDetails(this.reader, session)).details);
    if (named === undefined) return { report: null, data: [], nextCursor: null };
    const claim = await this.claims.findReport(named);
    if (!claim) throw new NotFound('The report that previousReport names');
    const { report } = buildReport(await this.claims.reportInput(claim));
    const items = listPreviousItems(report, await recordedItems(this.reader, session));
    const { reference, cover } = report;
    return {
      report: {
        ...{ id: named, reference },
        ...(cover.inspected === undefined ? {} : { inspected: cover.inspected }),
      },
      data: items.slice(from, from + limit),
      nextCursor: from + limit < items.length ? cursorOf([from + limit]) : null,
    };
  }
}

/** Reads the observations of a session that were not withdrawn, in order of arrival. */
async function recordedItems(
  reader: DatabaseReader,
  { flowId, sessionId }: SessionAddress,
): Promise<RecordedItem[]> {
  const rows = await reader.all<{ id: string; area_name: string; area_type: AreaType; words: string }>(
    `SELECT id, area_name, area_type, words FROM facts WHERE session_id = ? AND flow_id = ?
     AND kind = 'observation' AND withdrawn_at IS NULL ORDER BY arrival`,
    [sessionId, flowId],
  );
  return rows.map(({ id, area_name: area, area_type, words }) => {
    const { service } = classifyArea(area, area_type);
    const { item } = JSON.parse(words) as FactWords;
    return { id, area, item: String(item), ...(service === undefined ? {} : { service }) };
  });
}
