import { Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  caseSettings,
  type CaseSettings,
  type CaseView,
  flowCase,
  type NewCase,
  newCase,
  wholeCase,
  type WholeCase,
} from '../../api/cases.js';
import { answered, NOTHING } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { ValidBody, ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { pageOfRows, readCursor } from '../../common/json/cursor.js';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import { timeLimit } from '../../common/time-limit.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { CaseRecorder } from './case-recorder.js';
import { CaseStore } from './case-store.js';
import { caseViewOf, wholeCaseViewOf } from './case-view.js';
import { checkFaults } from './checks.js';
import { withHeldMemory } from './held-memory.js';

const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

/** The longest wait for the memory to copy an execution. */
const COPY_MS = 60_000;

const example = {
  name: 'Greets',
  input: { question: 'Hello' },
  checks: [{ kind: 'contains', value: 'o' }],
  calls: 'recorded',
};

/** Cases of a flow: tests from real runs (contract section 9, Cases). */
@Controller('api/v1/flows/:flowId/cases')
@UseGuards(AdminGuard)
export class CasesController {
  constructor(
    private readonly flows: FlowStore,
    private readonly store: CaseStore,
    private readonly recorder: CaseRecorder,
  ) {}

  @Documented({
    summary: 'List the cases of a flow',
    errors: ['not_found'],
    answers: answered('The oldest first.', pageSchema(flowCase)),
  })
  @Get()
  async list(
    @Param('flowId') flowId: string,
    @ValidQuery(page) { limit, cursor }: z.infer<typeof page>,
  ): Promise<PageOf<CaseView>> {
    await this.requireFlow(flowId);
    const after = cursor === undefined ? undefined : readCursor(cursor, z.tuple([z.string()]))[0];
    const rows = await this.store.list(flowId, limit + 1, after);
    return pageOfRows(rows, limit, { shown: caseViewOf, position: ({ id }) => [id] });
  }

  @Documented({
    summary: 'Make a case of an execution or an input',
    description:
      'Copies the words and files of the caller, and each recorded answer of models, requests and tools. The copy stays when the execution is deleted; `DELETE` deletes it.',
    errors: ['not_found', 'quota_exceeded'],
    body: { examples: { input: example } },
    answers: answered('The case.', flowCase),
  })
  @Post()
  @HttpCode(200)
  async create(@Param('flowId') flowId: string, @ValidBody(newCase) body: NewCase): Promise<CaseView> {
    await this.requireFlow(flowId);
    await requireSound(body.checks);
    const { name, checks, executionId, input = {} } = body;
    const isRecorded = executionId !== undefined;
    const { calls = isRecorded ? 'recorded' : 'live' } = body;
    const made = { flowId, name, calls, checks, executionId: executionId ?? null };
    return withHeldMemory(timeLimit(COPY_MS), async (hold) => {
      const recorded = isRecorded
        ? await this.recorder.record(flowId, executionId, hold)
        : this.recorder.fromInput(input);
      return caseViewOf(await this.store.create({ ...made, recorded }));
    });
  }

  @Documented({
    summary: 'Read a case',
    errors: ['not_found', 'stored_file_damaged'],
    answers: answered('With its copy of the execution: secrets masked, long texts truncated.', wholeCase),
  })
  @Get(':caseId')
  async get(@Param('flowId') flowId: string, @Param('caseId') caseId: string): Promise<WholeCase> {
    const row = await this.store.get(flowId, caseId);
    return wholeCaseViewOf(row, await this.store.recording(row.id));
  }

  @Documented({
    summary: 'Change a case',
    description: 'Its name, checks and calls; what it copied stays.',
    errors: ['not_found'],
    body: { examples: { renamed: { name: 'Greets by name', checks: [{ kind: 'max', ms: 2_000 }] } } },
    answers: answered('The case.', flowCase),
  })
  @Put(':caseId')
  async update(
    @Param('flowId') flowId: string,
    @Param('caseId') caseId: string,
    @ValidBody(caseSettings) settings: CaseSettings,
  ): Promise<CaseView> {
    await requireSound(settings.checks);
    return caseViewOf(await this.store.update(flowId, caseId, settings));
  }

  @Documented({ summary: 'Delete a case with its copy', errors: ['not_found'], answers: NOTHING })
  @Delete(':caseId')
  @HttpCode(204)
  remove(@Param('flowId') flowId: string, @Param('caseId') caseId: string): Promise<void> {
    return this.store.remove(flowId, caseId);
  }

  private async requireFlow(flowId: string): Promise<void> {
    if (!(await this.flows.find(flowId))) throw new NotFound('A flow with this id');
  }
}

/** Throws 400 for checks that could never pass. */
async function requireSound(checks: CaseSettings['checks']): Promise<void> {
  const faults = await checkFaults(checks);
  if (faults.length > 0) throw new InvalidRequest(faults);
}
