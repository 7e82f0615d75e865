import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { Own, OwnSessionGuard } from '../access/own-session.guard.js';
import type { OwnSession } from '../access/session-access.js';
import { factChangeIn } from '../facts/fact-changes.js';
import { CallCorrections, type RenamedArea } from './call-corrections.js';
import { readChange, factChange, photographChange, remarkChange, rename } from './change.js';
import type { CorrectedFact, CorrectedPhotograph, CorrectedRemark } from './corrected-views.js';
import { type KeyOfCorrection, CallKeyOf } from './correction-keys.js';
import { OwnOfRecord, OwnRecordGuard, RecordOf } from './own-record.guard.js';

/** The sayings about recorded photographs and remarks, and facts, read and corrected (contract section 5). */
@Controller('api/v1/inspection')
export class CorrectionsController {
  constructor(private readonly corrections: CallCorrections) {}

  @Get('photographs/:id')
  @RecordOf('photograph')
  @UseGuards(OwnRecordGuard)
  async photograph(@Param('id') id: string): Promise<CorrectedPhotograph> {
    return (await this.corrections.read('photograph', id)).photographs[0]!;
  }

  @Get('remarks/:id')
  @RecordOf('remark')
  @UseGuards(OwnRecordGuard)
  async remark(@Param('id') id: string): Promise<CorrectedRemark> {
    return (await this.corrections.read('remark', id)).remarks[0]!;
  }

  @Get('facts/:id')
  @RecordOf('fact')
  @UseGuards(OwnRecordGuard)
  async fact(@Param('id') id: string): Promise<CorrectedFact> {
    return (await this.corrections.read('fact', id)).facts[0]!;
  }

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

  /** Everything of the session that no report has taken; onto the name of another area, the two become one. */
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
