import { Controller, Get, Headers, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { type FlowSetting } from '../../api/flow-terms.js';
import {
  flowDraft,
  type FlowDraftView,
  flowVersion,
  type FlowVersionView,
  namedVersion,
  settingChange,
  type SettingChange,
  versionSummary,
  type VersionSummary,
} from '../../api/flows.js';
import { answered, json } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { ValidBody, ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { pageOfRows, readCursor } from '../../common/json/cursor.js';
import { NotFound } from '../../common/service-error.js';
import { doneBy, draftAnswer, found, versionAnswer, versionSummaryOf } from './flow-answer.js';
import { FlowDrafts } from './flow-drafts.js';
import { FlowStore } from './flow-store.js';
import { FlowVersions } from './flow-versions.js';
import { wantedRevision } from './if-match.js';
import { SaveChecks } from './save-checks.js';

const author = z.string().trim().max(200).optional().describe('Who does it; `admin` when absent.');

const restoring = z.object({ author });

const page = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
  cursor: z.string().max(500).optional(),
});

const theDraft = { 200: { description: 'The draft.', headers: ['ETag'] as const, content: json(flowDraft) } };

/** The versions of a flow, and the changes of its settings (contract section 9, Versions). */
@Controller('api/v1/flows/:id')
@UseGuards(AdminGuard)
export class FlowVersionsController {
  constructor(
    private readonly store: FlowStore,
    private readonly drafts: FlowDrafts,
    private readonly versions: FlowVersions,
    private readonly checks: SaveChecks,
  ) {}

  @Documented({
    summary: 'List the versions of a flow',
    errors: ['not_found'],
    answers: answered('The newest first, without their definitions.', pageSchema(versionSummary)),
  })
  @Get('versions')
  async list(
    @Param('id') id: string,
    @ValidQuery(page) { limit, cursor }: z.infer<typeof page>,
  ): Promise<PageOf<VersionSummary>> {
    found(await this.store.get(id));
    const before = cursor === undefined ? undefined : readCursor(cursor, z.tuple([namedVersion]))[0];
    const rows = await this.versions.list(id, limit + 1, before);
    return pageOfRows(rows, limit, { shown: versionSummaryOf, position: ({ version }) => [version] });
  }

  @Documented({
    summary: 'Read a version of a flow',
    errors: ['not_found'],
    answers: answered('The version with its definition.', flowVersion),
  })
  @Get('versions/:version')
  async version(@Param('id') id: string, @Param('version') version: string): Promise<FlowVersionView> {
    const row = await this.versions.find(id, numberOf(version));
    if (!row) throw new NotFound('This version of the flow');
    return versionAnswer(row);
  }

  @Documented({
    summary: 'Restore a version of a flow',
    description:
      'Copies it into the draft, in the place of what is there. A credential or flow that it names and that was deleted is among the `errors` of the draft and a warning.',
    headers: ['If-Match'],
    errors: ['not_found', 'flow_changed'],
    body: { examples: { restored: { author: 'Ada' } } },
    answers: theDraft,
  })
  @Post('versions/:version/restore')
  @HttpCode(200)
  async restore(
    @Param('id') id: string,
    @Param('version') version: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ValidBody(restoring) { author: by }: z.infer<typeof restoring>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FlowDraftView> {
    const wanted = wantedRevision(ifMatch);
    const draft = doneBy(await this.drafts.restore(id, numberOf(version), wanted, by || undefined));
    const answer = draftAnswer(response, draft, await this.checks.outcomeOfDraft(draft));
    const broken = answer.errors.map(({ path, message }) => ({ code: 'restored_fault', message, path }));
    return broken.length > 0 ? { ...answer, warnings: [...(answer.warnings ?? []), ...broken] } : answer;
  }

  @Documented({
    summary: 'List the changes of a flow’s settings',
    errors: ['not_found'],
    answers: answered('The newest first: when, who, which setting, old and new.', pageSchema(settingChange)),
  })
  @Get('setting-changes')
  async settingChanges(
    @Param('id') id: string,
    @ValidQuery(page) { limit, cursor }: z.infer<typeof page>,
  ): Promise<PageOf<SettingChange>> {
    found(await this.store.get(id));
    const before = cursor === undefined ? undefined : readCursor(cursor, z.tuple([z.int(), z.string()]));
    const position = before && { changedAt: before[0], setting: before[1] };
    const rows = await this.versions.settingChanges(id, limit + 1, position);
    return pageOfRows(rows, limit, {
      shown: ({ changedAt, author: by, setting, was, became }) => ({
        at: isoTime(changedAt),
        by,
        setting: setting as FlowSetting,
        old: valueOf(was),
        new: valueOf(became),
      }),
      position: ({ changedAt, setting }) => [changedAt, setting],
    });
  }
}

const VERSION = /^[1-9]\d{0,8}$/;

/** Returns the number in the address; that of no version for any other text. */
const numberOf = (text: string): number => (VERSION.test(text) ? Number(text) : 0);

const valueOf = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
