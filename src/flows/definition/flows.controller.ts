import { Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { AdminGuard } from '../../common/admin.guard.js';
import { isoTime } from '../../common/clock.js';
import { type Fault, InvalidRequest, NotFound, ServiceError } from '../../common/service-error.js';
import { ValidBody, ValidQuery } from '../../common/valid-body.decorator.js';
import { credentialFaults, namesCredentials } from '../credentials/credential-references.js';
import { Credentials } from '../credentials/credentials.js';
import { importFlow } from '../import/import-flow.js';
import { NodeKindRegistry } from '../nodes/node-kind-registry.js';
import { checkDefinition } from './check-definition.js';
import { definitionSchema } from './definition-schema.js';
import type { FlowDefinition } from './flow-definition.js';
import { type FlowPosition, FlowStore, type StoredFlow } from './flow-store.js';

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
      nextCursor: rows.length > limit && last ? cursorOf(last) : null,
    };
  }

  @Get('schema')
  schema() {
    return definitionSchema(this.kinds.all);
  }

  @Get(':id')
  async get(@Param('id') id: string) {
    return answerOf(found(await this.store.get(id)));
  }

  @Post()
  @HttpCode(200)
  async create(@ValidBody(anyBody) body: unknown) {
    return answerOf(created(await this.store.create(await this.checked(body))));
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
  async update(@Param('id') id: string, @ValidBody(anyBody) body: unknown) {
    const definition = await this.checked(body);
    if (definition.id !== undefined && definition.id !== id)
      throw invalid([{ path: 'id', message: 'must be the id in the address: an id cannot be changed' }]);
    return answerOf(found(await this.store.update(id, definition)));
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    if (!(await this.store.remove(id))) throw new NotFound('A flow with this id');
  }

  private async checked(
    body: unknown,
    locate = (faults: readonly Fault[]) => faults,
  ): Promise<FlowDefinition> {
    const checked = checkDefinition(body, this.kinds.all);
    if ('faults' in checked) throw invalid(locate(checked.faults));
    const { definition } = checked;
    const faults = namesCredentials(definition)
      ? credentialFaults(definition, await this.credentials.list())
      : [];
    if (faults.length > 0) throw invalid(faults);
    return definition;
  }
}

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

const cursorOf = ({ createdAt, flow }: StoredFlow): string =>
  Buffer.from(JSON.stringify([createdAt, flow.id])).toString('base64url');

function positionOf(cursor: string): FlowPosition {
  try {
    const [createdAt, id] = z
      .tuple([z.int(), z.string()])
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { createdAt, id };
  } catch {
    throw new InvalidRequest([{ path: 'cursor', message: 'must be the nextCursor of an earlier answer' }]);
  }
}
