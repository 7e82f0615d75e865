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
import { AdminGuard } from '../../common/admin.guard.js';
import { isoTime } from '../../common/clock.js';
import { cursorOf, readCursor } from '../../common/cursor.js';
import { type Fault, NotFound, ServiceError } from '../../common/service-error.js';
import { ValidBody, ValidQuery } from '../../common/valid-body.decorator.js';
import { credentialFaults, namesCredentials } from '../credentials/credential-references.js';
import { Credentials } from '../credentials/credentials.js';
import { importFlow } from '../import/import-flow.js';
import { NodeKindRegistry } from '../nodes/node-kind-registry.js';
import { checkDefinition } from './check-definition.js';
import { DefinitionChecks } from './definition-checks.js';
import { definitionSchema } from './definition-schema.js';
import type { FlowDefinition } from './flow-definition.js';
import { type FlowPosition, FlowStore, type StoredFlow } from './flow-store.js';
import { strongTags } from './if-match.js';

/** Checked apart, so that its faults are those of a flow and not of a request. */
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
    private readonly credentials: Credentials,
    private readonly checks: DefinitionChecks,
  ) {}

  @Get()
  async list(@ValidQuery(page) { limit, cursor }: z.infer<typeof page>) {
    const rows = await this.store.list(limit + 1, cursor === undefined ? undefined : positionOf(cursor));
    const data = rows.slice(0, limit);
    const last = data.at(-1);
    return {
      data: data.map(({ flow, ...times }) => {
        const { nodes: _nodes, edges: _edges, ...summary } = answerOf({ flow, ...times });
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
    // What a browser keeps of it is good only while we say so.
    response.setHeader('Cache-Control', 'private, no-cache');
    if (!request.fresh) return answerOf(stored);
    response.status(304);
    return undefined;
  }

  @Post()
  @HttpCode(200)
  async create(@ValidBody(anyBody) body: unknown, @Res({ passthrough: true }) response: Response) {
    return answerOf(tagged(response, created(await this.store.create(await this.checked(body)))));
  }

  /** A Flowise AgentFlow V2 export; what of it was not carried over stands in `warnings`. */
  @Post('import')
  @HttpCode(200)
  async import(@ValidBody(anyBody) body: unknown) {
    const imported = importFlow(body);
    if ('faults' in imported) throw invalid(imported.faults);
    const definition = await this.checked(imported.definition, imported.locate);
    return {
      ...answerOf(created(await this.store.create(definition))),
      warnings: imported.warnings,
    };
  }

  @Put(':id')
  async update(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ValidBody(anyBody) body: unknown,
    @Res({ passthrough: true }) response: Response,
  ) {
    const wanted = strongTags(ifMatch);
    const definition = await this.checked(body);
    if (definition.id !== undefined && definition.id !== id)
      throw invalid([{ path: 'id', message: 'must be the id in the address: an id cannot be changed' }]);
    const stored = await this.store.update(id, definition, {
      revision: await this.revisionAmong(id, wanted),
    });
    if (!stored && (await this.store.get(id))) throw changed();
    return answerOf(tagged(response, found(stored)));
  }

  /** What a definition would be refused for, without keeping it. */
  @Post('check')
  @HttpCode(200)
  async check(@ValidBody(anyBody) body: unknown): Promise<{ errors: Fault[] }> {
    const checked = await this.outcomeOf(body);
    return { errors: 'faults' in checked ? checked.faults : [] };
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

  private async checked(
    body: unknown,
    locate = (faults: readonly Fault[]) => faults,
  ): Promise<FlowDefinition> {
    const checked = await this.outcomeOf(body);
    if ('faults' in checked) throw invalid(locate(checked.faults));
    return checked.definition;
  }

  private async outcomeOf(body: unknown): Promise<{ definition: FlowDefinition } | { faults: Fault[] }> {
    const checked = checkDefinition(body, this.kinds.all);
    if ('faults' in checked) return checked;
    const { definition } = checked;
    const faults = namesCredentials(definition)
      ? credentialFaults(definition, await this.credentials.list())
      : [];
    faults.push(...(await this.checks.faultsOf(definition)));
    return faults.length > 0 ? { faults } : { definition };
  }
}

const changed = () =>
  new ServiceError(
    412,
    'flow_changed',
    'The flow was changed meanwhile. Read it again, and send the call with the revision that it has now.',
  );

const invalid = (errors: readonly Fault[]) =>
  new ServiceError(
    400,
    'invalid_flow',
    'The flow cannot run as defined. Correct the members listed in errors.',
    {
      errors,
    },
  );

function created(stored: StoredFlow | undefined): StoredFlow {
  if (stored) return stored;
  throw new ServiceError(
    409,
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

/** The definition, and what the store knows about it; sent back with PUT, the latter is ignored. */
const answerOf = ({ flow, createdAt, updatedAt }: StoredFlow) => ({
  ...flow.definition,
  id: flow.id,
  price: flow.price,
  account: flow.account,
  access: flow.access,
  revision: flow.revision,
  isStreaming: flow.streamable,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

/** Of the last flow on a page. */
const position = z.tuple([z.int(), z.string()]);

function positionOf(cursor: string): FlowPosition {
  const [createdAt, id] = readCursor(cursor, position);
  return { createdAt, id };
}
