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
import {
  checkedFlow,
  type CheckedFlow,
  flow,
  flowSchema,
  flowSummary,
  type FlowView,
  savedFlow,
} from '../../api/flows.js';
import { answered, json, NOTHING } from '../../api/route-note.js';
import { pageSchema } from '../../api/shapes.js';
import { FLOW_BYTES, ValidBody, ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { cursorOf, readCursor } from '../../common/json/cursor.js';
import { ServiceError } from '../../common/service-error.js';
import { definitionSchema } from '../definition/definition-schema.js';
import { flowDefinition } from '../definition/flow-definition.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { authorIn, changedFlow, flowAnswer, found, saved, tagged } from './flow-answer.js';
import { FlowDrafts } from './flow-drafts.js';
import { type FlowPosition, FlowStore, type StoredFlow } from './flow-store.js';
import { FlowWrites } from './flow-writes.js';
import { type WantedRevision, wantedRevision } from './if-match.js';
import { invalidFlow, SaveChecks } from './save-checks.js';

/** Checked separately, so that its faults are those of a flow and not of a request. */
const anyBody = z.unknown();

const greeter = {
  name: 'Greeter',
  price: 1,
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message: 'Hello! You said: {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
};

const theSavedFlow = answered('The flow.', savedFlow);

const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

/** Admins keep the flows (contract section 8). */
@Controller('api/v1/flows')
@UseGuards(AdminGuard)
export class FlowsController {
  constructor(
    private readonly store: FlowStore,
    private readonly writes: FlowWrites,
    private readonly drafts: FlowDrafts,
    private readonly kinds: NodeKindRegistry,
    private readonly checks: SaveChecks,
  ) {}

  @Documented({
    summary: 'List flows',
    answers: answered('The newest first, without nodes and edges.', pageSchema(flowSummary)),
  })
  @Get()
  async list(@ValidQuery(page) { limit, cursor }: z.infer<typeof page>) {
    const rows = await this.store.list(limit + 1, cursor === undefined ? undefined : positionOf(cursor));
    const data = rows.slice(0, limit);
    const last = data.at(-1);
    const drafts = await this.drafts.among(data.map(({ flow }) => flow.id));
    return {
      data: data.map((stored) => {
        const answer = flowAnswer(stored, drafts.has(stored.flow.id));
        const { nodes: _nodes, edges: _edges, notes: _notes, ...summary } = answer;
        return summary;
      }),
      nextCursor: rows.length > limit && last ? cursorOf([last.createdAt, last.flow.id]) : null,
    };
  }

  @Documented({
    summary: 'Read the JSON Schema of a flow definition',
    answers: answered('With the config of every kind of node.', flowSchema),
  })
  @Get('schema')
  schema() {
    return definitionSchema(this.kinds.all);
  }

  @Documented({
    summary: 'Read a flow',
    headers: ['If-None-Match'],
    errors: ['not_found'],
    answers: {
      200: {
        description: 'The published definition and the settings.',
        headers: ['ETag'],
        content: json(flow),
      },
      304: { description: 'The caller has this revision already.', headers: ['ETag'] },
    },
  })
  @Get(':id')
  async get(
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const answer = tagged(response, await this.answerOf(found(await this.store.get(id))));
    // A browser may cache it, but has to revalidate it each time.
    response.setHeader('Cache-Control', 'private, no-cache');
    if (!request.fresh) return answer;
    response.status(304);
    return undefined;
  }

  @Documented({
    summary: 'Create a flow',
    description:
      'Publishes version 1. A definition that cannot run is refused with the path of each fault. `GET /api/v1/flows/schema` has the config of every kind.',
    errors: ['invalid_flow', 'flow_exists'],
    body: { json: flowDefinition, examples: { greeter } },
    answers: theSavedFlow,
  })
  @Post()
  @HttpCode(200)
  async create(
    @ValidBody(anyBody, FLOW_BYTES) body: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { definition, warnings } = await this.checks.checked(body);
    const stored = created(await this.writes.create(definition, { author: authorIn(body) }));
    return tagged(response, saved(await this.answerOf(stored), warnings));
  }

  @Documented({
    summary: 'Replace a flow',
    description:
      'Changed settings take effect at once. A changed definition is published at once as a new version, and leaves the draft alone; a change of settings only makes no version.',
    headers: ['If-Match'],
    errors: ['invalid_flow', 'not_found', 'flow_changed'],
    body: { json: flowDefinition, examples: { greeter } },
    answers: theSavedFlow,
  })
  @Put(':id')
  async update(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ValidBody(anyBody, FLOW_BYTES) body: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const wanted = wantedRevision(ifMatch);
    const { definition, warnings } = await this.checks.checked(body);
    if (definition.id !== undefined && definition.id !== id)
      throw invalidFlow([{ path: 'id', message: 'must be the id in the address: an id cannot be changed' }]);
    const stored = await this.writes.replace(id, definition, {
      revision: await this.revisionAmong(id, wanted),
      author: authorIn(body),
    });
    if (!stored) throw changedFlow(found(await this.store.get(id)));
    return tagged(response, saved(await this.answerOf(stored), warnings));
  }

  @Documented({
    summary: 'Check a definition',
    description:
      'Returns the faults that it would be refused for, each with its path; if it would be saved, its warnings. Stores nothing.',
    body: { json: flowDefinition, examples: { greeter } },
    answers: answered('The faults and warnings.', checkedFlow),
  })
  @Post('check')
  @HttpCode(200)
  async check(@ValidBody(anyBody, FLOW_BYTES) body: unknown): Promise<CheckedFlow> {
    const checked = await this.checks.outcomeOf(body);
    return 'faults' in checked
      ? { errors: checked.faults, warnings: [] }
      : { errors: [], warnings: checked.warnings };
  }

  @Documented({
    summary: 'Delete a flow',
    description:
      'Its runs that wait for a human end as `failed`, `flow_deleted`, those that have not begun as `aborted`, `flow_deleted`; both are refunded. Running ones finish.',
    headers: ['If-Match'],
    errors: ['invalid_request', 'not_found', 'flow_changed'],
    answers: NOTHING,
  })
  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string, @Headers('if-match') ifMatch: string | undefined): Promise<void> {
    if (await this.writes.remove(id, await this.revisionAmong(id, wantedRevision(ifMatch)))) return;
    throw changedFlow(found(await this.store.get(id)));
  }

  private async answerOf(stored: StoredFlow): Promise<FlowView> {
    const { id } = stored.flow;
    return flowAnswer(stored, (await this.drafts.among([id])).has(id));
  }

  /** The one revision that may be replaced or deleted; nothing where any may. The empty one is none that a flow has. */
  private async revisionAmong(id: string, wanted: WantedRevision): Promise<string | undefined> {
    if (wanted === 'any') return undefined;
    const current = (await this.store.get(id))?.flow.revision ?? '';
    return wanted.has(current) ? current : '';
  }
}

function created(stored: StoredFlow | undefined): StoredFlow {
  if (stored) return stored;
  throw new ServiceError(
    'flow_exists',
    'There is a flow with this id already. Change it with PUT, or choose another id.',
  );
}

/** Creation time and id of the last flow on a page. */
const position = z.tuple([z.int(), z.string()]);

function positionOf(cursor: string): FlowPosition {
  const [createdAt, id] = readCursor(cursor, position);
  return { createdAt, id };
}
