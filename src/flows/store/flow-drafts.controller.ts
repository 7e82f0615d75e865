import {
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Put,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import { FLOW_MEMBERS, STORED_MEMBERS } from '../../api/flow-terms.js';
import { flowDraft, type FlowDraftView, type SavedFlow, savedFlow } from '../../api/flows.js';
import { answered, json, NOTHING } from '../../api/route-note.js';
import { FLOW_BYTES, ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { FlowContent } from '../definition/flow-definition.js';
import {
  authorIn,
  changedDraft,
  doneBy,
  draftAnswer,
  flowAnswer,
  found,
  saved,
  tagged,
} from './flow-answer.js';
import { FlowDrafts } from './flow-drafts.js';
import { FlowStore } from './flow-store.js';
import type { FlowDraftEntity } from './flow.entity.js';
import { type WantedRevision, wantedRevision } from './if-match.js';
import { invalidFlow, SaveChecks } from './save-checks.js';

const author = z.string().trim().max(200).optional().describe('Who does it; `admin` when absent.');

/** Read as it is: a draft may be incomplete. */
const anyBody = jsonObject;

const publication = z.object({
  name: z.string().trim().max(200).optional().describe('The name of the version.'),
  note: z.string().trim().max(10_000).optional().describe('What has changed.'),
  author,
});

const draftExample = {
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message: 'Good morning! You said: {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  author: 'Ada',
};

const theDraft = { 200: { description: 'The draft.', headers: ['ETag'] as const, content: json(flowDraft) } };

/** The draft of a flow (contract section 9, Versions). */
@Controller('api/v1/flows/:id')
@UseGuards(AdminGuard)
export class FlowDraftsController {
  constructor(
    private readonly store: FlowStore,
    private readonly drafts: FlowDrafts,
    private readonly checks: SaveChecks,
  ) {}

  @Documented({
    summary: 'Read the draft of a flow',
    description: 'With its faults: it cannot be published until `errors` is empty.',
    headers: ['If-None-Match'],
    errors: ['not_found'],
    answers: {
      ...theDraft,
      304: { description: 'The caller has this revision already.', headers: ['ETag'] },
    },
  })
  @Get('draft')
  async draft(
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FlowDraftView | undefined> {
    const draft = await this.draftOf(id);
    response.setHeader('ETag', `"${draft.revision}"`).setHeader('Cache-Control', 'private, no-cache');
    if (!request.fresh) return this.answerOf(response, draft);
    response.status(304);
    return undefined;
  }

  @Documented({
    summary: 'Save the draft of a flow',
    description:
      'Any definition, also an incomplete one: its faults are `errors` beside 200. Settings in the body are ignored with a warning. `If-Match` takes the `revision` of the draft, or that of the flow while there is no draft, so that of two authors the second is answered 412.',
    headers: ['If-Match'],
    errors: ['not_found', 'flow_changed'],
    body: { examples: { draft: draftExample } },
    answers: theDraft,
  })
  @Put('draft')
  async saveDraft(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ValidBody(anyBody, FLOW_BYTES, { isRequired: true }) body: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FlowDraftView> {
    const wanted = wantedRevision(ifMatch);
    const { content, settings } = partsOf(body);
    const draft = doneBy(await this.drafts.save(id, content, wanted, authorIn(body)));
    return this.answerOf(response, draft, settings.map(settingIgnored));
  }

  @Documented({
    summary: 'Discard the draft of a flow',
    headers: ['If-Match'],
    errors: ['not_found', 'flow_changed'],
    answers: NOTHING,
  })
  @Delete('draft')
  @HttpCode(204)
  async discard(@Param('id') id: string, @Headers('if-match') ifMatch: string | undefined): Promise<void> {
    doneBy(await this.drafts.discard(id, wantedRevision(ifMatch)));
  }

  @Documented({
    summary: 'Publish the draft of a flow',
    description:
      'Makes the draft the published version, in one transaction over all replicas. Running calls keep the version they began with.',
    headers: ['If-Match'],
    errors: ['invalid_flow', 'not_found', 'flow_changed'],
    body: { examples: { named: { name: 'Friendlier greeting', note: 'Says good morning.', author: 'Ada' } } },
    answers: answered('The flow, with its new version.', savedFlow),
  })
  @Post('publish')
  @HttpCode(200)
  async publish(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ValidBody(publication) { name, note, author: by }: z.infer<typeof publication>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SavedFlow> {
    const words = { name: name || undefined, note: note || undefined, author: by || undefined };
    const warnings = await this.publishDraft(id, wantedRevision(ifMatch), words);
    return tagged(response, saved(flowAnswer(found(await this.store.get(id)), false), warnings));
  }

  private async draftOf(id: string): Promise<FlowDraftEntity> {
    const draft = await this.drafts.find(id);
    if (draft) return draft;
    found(await this.store.get(id));
    throw new NotFound('A draft of this flow');
  }

  private async answerOf(
    response: Response,
    draft: FlowDraftEntity,
    ignored: readonly Warning[] = [],
  ): Promise<FlowDraftView> {
    const outcome = await this.checks.outcomeOfDraft(draft);
    return draftAnswer(response, draft, { ...outcome, warnings: [...ignored, ...outcome.warnings] });
  }

  /** Checks the draft and publishes it; checks it again if it was saved meanwhile. Returns its warnings. */
  private async publishDraft(
    id: string,
    wanted: WantedRevision,
    words: { name: string | undefined; note: string | undefined; author: string | undefined },
  ): Promise<Warning[]> {
    for (let attempt = 1; ; attempt++) {
      const draft = await this.draftOf(id);
      if (wanted !== 'any' && !wanted.has(draft.revision)) throw changedDraft(draft);
      const { errors, warnings, content } = await this.checks.outcomeOfDraft(draft);
      if (!content) throw invalidFlow(errors);
      const write = await this.drafts.publish(draft, content, words);
      if ('changed' in write && wanted === 'any' && attempt < MOST_ATTEMPTS) continue;
      doneBy(write);
      return warnings;
    }
  }
}

/** Publications that meet another save each time. */
const MOST_ATTEMPTS = 5;

const STORED: ReadonlySet<string> = new Set(STORED_MEMBERS);

/** Splits the body of a draft into its content and the names of settings in it. */
function partsOf(body: Record<string, unknown>): { content: Partial<FlowContent>; settings: string[] } {
  const settings: string[] = [];
  const content = Object.entries(body).filter(([name]) => {
    const place = Object.hasOwn(FLOW_MEMBERS, name)
      ? FLOW_MEMBERS[name as keyof typeof FLOW_MEMBERS]
      : undefined;
    if (place === 'setting') settings.push(name);
    return place === 'definition' || (place === undefined && !STORED.has(name));
  });
  return { content: Object.fromEntries(content) as Partial<FlowContent>, settings };
}

const settingIgnored = (name: string): Warning => ({
  code: 'setting_ignored',
  message: `"${name}" is a setting and not part of a draft: it is ignored. Change settings with PUT of the flow; they take effect at once.`,
  path: name,
});
