import { Controller, Delete, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  correctedFact,
  type CorrectedFact,
  correctedRemark,
  type CorrectedRemark,
} from '../../api/corrections.js';
import { answered } from '../../api/route-note.js';
import { type UndoneThings, undoneThings } from '../../api/things.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { OF_RECORD, OF_SESSION } from '../access/session-notes.js';
import { CallCorrections } from './call-corrections.js';
import { CallKeyOf, type KeyOfCorrection } from './correction-keys.js';
import { OwnOfRecord, OwnRecordGuard, RecordOf } from './own-record.guard.js';

/** Limit on the executions that one undo reverses. */
const MOST_UNDONE = 50;

const undoBody = z.object({
  count: z.int().min(1).max(MOST_UNDONE).nullish().describe('The number of executions; absent: 1.'),
});

const WITHDRAWAL = {
  ...OF_RECORD,
  description: `It stays stored and in the list of evidence, but is neither printed nor counted; a correction with \`withdrawn: false\` restores it. ${OF_RECORD.description}`,
  errors: [...OF_RECORD.errors, ...(['already_claimed', 'session_full', 'rate_limited'] as const)],
} as const;

const withdrawal = { change: { withdrawn: true } };

/** Undoes what an inspection recorded or corrected (contract section 5). */
@Controller('api/v1/inspection')
export class UndoController {
  constructor(private readonly corrections: CallCorrections) {}

  @Documented({
    summary: 'Undo what was recorded last',
    description:
      'Takes back everything that the latest call recorded or corrected: records are withdrawn, corrections reversed, details and absences are as before. With `count` it does so for the latest calls, all or none. An undo is not undone.',
    access: OF_SESSION.access,
    query: OF_SESSION.query,
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
    ...WITHDRAWAL,
    summary: 'Withdraw a remark',
    answers: answered('The remark, withdrawn.', correctedRemark),
  })
  @Delete('remarks/:id')
  @RecordOf('remark')
  @UseGuards(OwnRecordGuard)
  async withdrawRemark(@Param('id') id: string, @OwnOfRecord() own: OwnSession): Promise<CorrectedRemark> {
    return (await this.corrections.correct(own, 'remark', id, withdrawal)).remarks[0]!;
  }

  @Documented({
    ...WITHDRAWAL,
    summary: 'Withdraw an observation, reading, keys or alarm',
    answers: answered('The fact, withdrawn.', correctedFact),
  })
  @Delete('facts/:id')
  @RecordOf('fact')
  @UseGuards(OwnRecordGuard)
  async withdrawFact(@Param('id') id: string, @OwnOfRecord() own: OwnSession): Promise<CorrectedFact> {
    return (await this.corrections.correct(own, 'fact', id, withdrawal)).facts[0]!;
  }
}
