import { Controller, Delete, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { answered, json, ref, type RouteNote } from '../../api/route-note.js';
import { type UndoneThings, undoneThings } from '../../api/things.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { CallCorrections } from './call-corrections.js';
import type { CorrectedFact, CorrectedRemark } from './corrected-views.js';
import { CallKeyOf, type KeyOfCorrection } from './correction-keys.js';
import { OwnOfRecord, OwnRecordGuard, RecordOf } from './own-record.guard.js';

/** The most executions that one undo takes back. */
export const MOST_UNDONE = 50;

export const undoBody = z.object({
  count: z.int().min(1).max(MOST_UNDONE).nullish().describe('The number of executions; absent: 1.'),
});

const WITHDRAWN =
  'It stays stored and stands in the list of evidence, but it is neither printed nor counted; a correction with `withdrawn: false` restores it. On an open flow also for whoever sends the id of its session, where that is a version 4 UUID: as `?sessionId=`, or as the bearer token.';
const ofRecord = {
  access: 'own-session',
  query: { sessionId: 'The session of the record.' },
  errors: ['not_found', 'already_claimed', 'session_full', 'rate_limited'],
} satisfies Partial<RouteNote>;

const withdrawal = { change: { withdrawn: true } };

/** Takes back what an inspection recorded (contract section 5). */
@Controller('api/v1/inspection')
export class UndoController {
  constructor(private readonly corrections: CallCorrections) {}

  @Documented({
    summary: 'Undo what was recorded last',
    description:
      'Takes back everything that the latest call recorded or corrected: records are withdrawn, corrections reversed, details and absences are as before. With `count` it does so for the latest calls, all or none. An undo is not undone.',
    access: 'own-session',
    query: {
      flowId:
        'The flow of the session; required where several of the caller’s flows have a session of this id.',
    },
    errors: [
      'flow_not_found',
      'not_found',
      'already_claimed',
      'session_full',
      'rate_limited',
      'idempotency_key_reused',
    ],
    headers: ['Idempotency-Key'],
    body: { examples: { last: {}, two: { count: 2 } } },
    answers: answered(
      'The first hundred things that were taken back; none where nothing was left.',
      undoneThings,
    ),
  })
  @Post('sessions/:sessionId/undo')
  @HttpCode(200)
  @UseGuards(OwnSessionGuard)
  undo(
    @Own() own: OwnSession,
    @ValidBody(undoBody) { count }: z.infer<typeof undoBody>,
    @CallKeyOf() key: KeyOfCorrection | undefined,
  ): Promise<UndoneThings> {
    return this.corrections.undo(own, count ?? 1, key);
  }

  @Documented({
    summary: 'Withdraw a remark',
    description: WITHDRAWN,
    ...ofRecord,
    answers: { 200: { description: 'The remark, withdrawn.', content: json(ref('CorrectedRemark')) } },
  })
  @Delete('remarks/:id')
  @RecordOf('remark')
  @UseGuards(OwnRecordGuard)
  async withdrawRemark(@Param('id') id: string, @OwnOfRecord() own: OwnSession): Promise<CorrectedRemark> {
    return (await this.corrections.correct(own, 'remark', id, withdrawal)).remarks[0]!;
  }

  @Documented({
    summary: 'Withdraw an observation, reading, keys or alarm',
    description: WITHDRAWN,
    ...ofRecord,
    answers: { 200: { description: 'The fact, withdrawn.', content: json(ref('CorrectedFact')) } },
  })
  @Delete('facts/:id')
  @RecordOf('fact')
  @UseGuards(OwnRecordGuard)
  async withdrawFact(@Param('id') id: string, @OwnOfRecord() own: OwnSession): Promise<CorrectedFact> {
    return (await this.corrections.correct(own, 'fact', id, withdrawal)).facts[0]!;
  }
}
