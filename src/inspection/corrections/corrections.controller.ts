import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  correctedFact,
  type CorrectedFact,
  correctedPhotograph,
  type CorrectedPhotograph,
  correctedRemark,
  type CorrectedRemark,
  renamedArea,
  type RenamedArea,
} from '../../api/corrections.js';
import { answered } from '../../api/route-note.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { Documented } from '../../common/http/route-table.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { OF_RECORD, OF_SESSION } from '../access/session-notes.js';
import { factChangeIn } from '../facts/fact-changes.js';
import { CallCorrections } from './call-corrections.js';
import { readChange, factChange, photographChange, remarkChange, rename } from './change.js';
import { type KeyOfCorrection, CallKeyOf } from './correction-keys.js';
import { OwnOfRecord, OwnRecordGuard, RecordOf } from './own-record.guard.js';

/** Documentation shared by corrections of a record. */
const CORRECTION = {
  ...OF_RECORD,
  errors: ['not_found', 'already_claimed', 'session_full', 'rate_limited', 'idempotency_key_reused'],
  headers: ['Idempotency-Key'],
} as const;

/** Reads and corrects recorded photographs, remarks and facts (contract section 5). */
@Controller('api/v1/inspection')
export class CorrectionsController {
  constructor(private readonly corrections: CallCorrections) {}

  @Documented({
    ...OF_RECORD,
    summary: 'Read a photograph with its corrections',
    answers: answered('The photograph.', correctedPhotograph),
  })
  @Get('photographs/:id')
  @RecordOf('photograph')
  @UseGuards(OwnRecordGuard)
  async photograph(@Param('id') id: string): Promise<CorrectedPhotograph> {
    return (await this.corrections.read('photograph', id)).photographs[0]!;
  }

  @Documented({
    ...OF_RECORD,
    summary: 'Read a remark with its corrections',
    answers: answered('The remark.', correctedRemark),
  })
  @Get('remarks/:id')
  @RecordOf('remark')
  @UseGuards(OwnRecordGuard)
  async remark(@Param('id') id: string): Promise<CorrectedRemark> {
    return (await this.corrections.read('remark', id)).remarks[0]!;
  }

  @Documented({
    ...OF_RECORD,
    summary: 'Read an observation, reading, keys or alarm with its corrections',
    answers: answered('The fact.', correctedFact),
  })
  @Get('facts/:id')
  @RecordOf('fact')
  @UseGuards(OwnRecordGuard)
  async fact(@Param('id') id: string): Promise<CorrectedFact> {
    return (await this.corrections.read('fact', id)).facts[0]!;
  }

  @Documented({
    ...CORRECTION,
    summary: 'Correct a photograph',
    description: `Its bytes, their hash and the time of receipt stay. Turns are clockwise and add up. A withdrawn photograph stays stored, but is neither printed nor counted; \`withdrawn: false\` restores it. ${OF_RECORD.description}`,
    errors: [...CORRECTION.errors, 'stored_file_damaged'],
    body: { examples: { turned: { area: 'Kitchen', turn: 90, reason: 'It lay on its side.' } } },
    answers: answered('The photograph now.', correctedPhotograph),
  })
  @Post('photographs/:id/corrections')
  @HttpCode(200)
  @RecordOf('photograph')
  @UseGuards(OwnRecordGuard)
  async correctPhotograph(
    @Param('id') id: string,
    @OwnOfRecord() own: OwnSession,
    @ValidBody(photographChange) body: z.infer<typeof photographChange>,
    @CallKeyOf() key: KeyOfCorrection | undefined,
  ): Promise<CorrectedPhotograph> {
    const made = await this.corrections.correct(own, 'photograph', id, readChange(body), key);
    return made.photographs[0]!;
  }

  @Documented({
    ...CORRECTION,
    summary: 'Correct a remark',
    body: { examples: { reworded: { text: 'Scratch on the left worktop' } } },
    answers: answered('The remark now.', correctedRemark),
  })
  @Post('remarks/:id/corrections')
  @HttpCode(200)
  @RecordOf('remark')
  @UseGuards(OwnRecordGuard)
  async correctRemark(
    @Param('id') id: string,
    @OwnOfRecord() own: OwnSession,
    @ValidBody(remarkChange) body: z.infer<typeof remarkChange>,
    @CallKeyOf() key: KeyOfCorrection | undefined,
  ): Promise<CorrectedRemark> {
    const made = await this.corrections.correct(own, 'remark', id, readChange(body), key);
    return made.remarks[0]!;
  }

  @Documented({
    ...CORRECTION,
    summary: 'Correct an observation, reading, keys or alarm',
    description: `Takes the members of its kind; one of another kind is refused. An empty text removes an optional member. \`photographs\` are ids, in place of those that it had. ${OF_RECORD.description}`,
    body: {
      examples: {
        observation: { condition: 'fair', description: 'Worn at the edge', reason: 'Looked again' },
        reading: { value: '00124.5' },
      },
    },
    answers: answered('The fact now.', correctedFact),
  })
  @Post('facts/:id/corrections')
  @HttpCode(200)
  @RecordOf('fact')
  @UseGuards(OwnRecordGuard)
  async correctFact(
    @Param('id') id: string,
    @OwnOfRecord() own: OwnSession,
    @ValidBody(factChange) body: z.infer<typeof factChange>,
    @CallKeyOf() key: KeyOfCorrection | undefined,
  ): Promise<CorrectedFact> {
    const made = await this.corrections.correct(own, 'fact', id, readChange(body, factChangeIn(body)), key);
    return made.facts[0]!;
  }

  @Documented({
    ...CORRECTION,
    summary: 'Rename an area',
    description:
      'In everything of the session that no report has taken. If another area has the new name, the two become one. `photographs`, `remarks` and `facts` are the first hundred of the renamed records.',
    query: OF_SESSION.query,
    body: { examples: { spelling: { from: 'Kitchen', to: 'Kitchen diner' } } },
    answers: answered('The area now.', renamedArea),
  })
  @Post('sessions/:sessionId/areas/rename')
  @HttpCode(200)
  @UseGuards(OwnSessionGuard)
  async rename(
    @Own() own: OwnSession,
    @ValidBody(rename) { from, to, reason }: z.infer<typeof rename>,
    @CallKeyOf() key: KeyOfCorrection | undefined,
  ): Promise<RenamedArea> {
    return this.corrections.rename(own, { from, to }, reason ?? undefined, key);
  }
}
