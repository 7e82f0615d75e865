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
import { ValidBody, ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { cursorOf, readCursor } from '../../common/json/cursor.js';
import { type Fault, NotFound, ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { definitionSchema } from '../definition/definition-schema.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { flowAnswer } from './flow-answer.js';
import { type FlowPosition, FlowStore, type StoredFlow } from './flow-store.js';
import { strongTags } from './if-match.js';
import { type Checked, invalidFlow, SaveChecks } from './save-checks.js';

/** Checked separately, so that its faults are those of a flow and not of a request. */
const anyBody = z.unknown();

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
    private readonly kinds: NodeKindRegistry,
    private readonly checks: SaveChecks,
  ) {}

  @Get()
  async list(@ValidQuery(page) { limit, cursor }: z.infer<typeof page>) {
    const rows = await this.store.list(limit + 1, cursor === undefined ? undefined : positionOf(cursor));
    const data = rows.slice(0, limit);
    const last = data.at(-1);
    return {
      data: data.map(({ flow, ...times }) => {
        const { nodes: _nodes, edges: _edges, ...summary } = flowAnswer({ flow, ...times });
        return summary;
      }),
      nextCursor: rows.length > limit && last ? cursorOf([last.createdAt, last.flow.id]) : null,
    };
  }

  @Get('schema')
  schema() {
    return definitionSchema(this.kinds.all);
  }

  /** 304 to a caller who has this revision. */
  @Get(':id')
  async get(
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const stored = tagged(response, found(await this.store.get(id)));
    // A browser may cache it, but has to revalidate it each time.
    response.setHeader('Cache-Control', 'private, no-cache');
    if (!request.fresh) return flowAnswer(stored);
    response.status(304);
    return undefined;
  }

  @Post()
  @HttpCode(200)
  async create(@ValidBody(anyBody) body: unknown, @Res({ passthrough: true }) response: Response) {
    const { definition, warnings } = await this.checks.checked(body);
    return savedAnswer(tagged(response, created(await this.store.create(definition))), warnings);
  }

  @Put(':id')
  async update(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ValidBody(anyBody) body: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const wanted = strongTags(ifMatch);
    const { definition, warnings } = await this.checks.checked(body);
    if (definition.id !== undefined && definition.id !== id)
      throw invalidFlow([{ path: 'id', message: 'must be the id in the address: an id cannot be changed' }]);
    const stored = await this.store.update(id, definition, {
      revision: await this.revisionAmong(id, wanted),
    });
    if (!stored && (await this.store.get(id))) throw changed();
    return savedAnswer(tagged(response, found(stored)), warnings);
  }

  /** The faults that a definition would be refused for, and its warnings; nothing is kept. */
  @Post('check')
  @HttpCode(200)
  async check(@ValidBody(anyBody) body: unknown): Promise<{ errors: Fault[]; warnings: Warning[] }> {
    const checked = await this.checks.outcomeOf(body);
    return 'faults' in checked
      ? { errors: checked.faults, warnings: [] }
      : { errors: [], warnings: checked.warnings };
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string, @Headers('if-match') ifMatch: string | undefined): Promise<void> {
    if (await this.store.remove(id, await this.revisionAmong(id, strongTags(ifMatch)))) return;
    found(await this.store.get(id));
    throw changed();
  }

  /** The one revision that may be replaced or deleted; nothing where any may. The empty one is none that a flow has. */
  private async revisionAmong(id: string, wanted: ReadonlySet<string> | 'any'): Promise<string | undefined> {
    if (wanted === 'any') return undefined;
    const current = (await this.store.get(id))?.flow.revision ?? '';
    return wanted.has(current) ? current : '';
  }
}

const changed = () =>
  new ServiceError(
    'flow_changed',
    'The flow was changed meanwhile. Read it again, and send the call with the revision that it has now.',
  );

function created(stored: StoredFlow | undefined): StoredFlow {
  if (stored) return stored;
  throw new ServiceError(
    'flow_exists',
    'There is a flow with this id already. Change it with PUT, or choose another id.',
  );
}

function found(stored: StoredFlow | undefined): StoredFlow {
  if (!stored) throw new NotFound('A flow with this id');
  return stored;
}

/** Tells the caller the revision, for `If-Match` (contract section 2). */
function tagged(response: Response, stored: StoredFlow): StoredFlow {
  response.setHeader('ETag', `"${stored.flow.revision}"`);
  return stored;
}

/** With what is probably not meant in it, where there is such a thing. */
const savedAnswer = (stored: StoredFlow, warnings: Checked['warnings']) => ({
  ...flowAnswer(stored),
  ...(warnings.length > 0 ? { warnings } : {}),
});

/** Of the last flow on a page. */
const position = z.tuple([z.int(), z.string()]);

function positionOf(cursor: string): FlowPosition {
  const [createdAt, id] = readCursor(cursor, position);
  return { createdAt, id };
}
