import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { caseRun, type CaseRunView, type NewCaseRun, newCaseRun } from '../../api/cases.js';
import { json, answered, NOTHING } from '../../api/route-note.js';
import { AppConfig } from '../../common/app-config.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { Documented } from '../../common/http/route-table.js';
import { InvalidRequest, NotFound } from '../../common/service-error.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { RunnableVersions } from '../../flows/store/runnable-versions.js';
import { CaseRunStore } from './case-run-store.js';
import type { CaseItem } from './case-runner.js';
import { CaseRuns } from './case-runs.js';
import { CaseStore } from './case-store.js';

const MOST_CASES = 1_000;

/** Runs of cases (contract section 9, Cases). */
@Controller('api/v1/flows/:flowId/cases')
@UseGuards(AdminGuard)
export class CaseRunsController {
  constructor(
    private readonly flows: FlowStore,
    private readonly versions: RunnableVersions,
    private readonly cases: CaseStore,
    private readonly runs: CaseRuns,
    private readonly store: CaseRunStore,
    private readonly config: AppConfig,
  ) {}

  @Documented({
    summary: 'Run cases of a flow',
    description:
      'In the background, a few at a time, in chats of their own that no list shows. Recorded calls cost no credit; live calls are charged, and refunded where the flow fails. With live calls, inspections are recorded and rendered apart from all others and deleted with their case. No mail is sent. `executionIds` compares executions without making cases of them.',
    errors: ['not_found', 'invalid_flow', 'quota_exceeded'],
    body: { examples: {} },
    answers: {
      202: { description: 'It has begun.', headers: ['Location'], content: json(caseRun) },
    },
  })
  @Post('run')
  @HttpCode(202)
  async start(
    @Param('flowId') flowId: string,
    @ValidBody(newCaseRun) body: NewCaseRun,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CaseRunView> {
    const published = await this.flows.find(flowId);
    if (!published) throw new NotFound('A flow with this id');
    // A run keeps the definition that it finds now.
    const flow = await this.versions.find(published, body.version ?? published.version);
    const items = await this.itemsOf(flowId, body);
    const publicUrl = linkOrigin(request, this.config);
    const id = await this.runs.start({ flow, version: flow.version, items, publicUrl });
    response.setHeader('Location', `/api/v1/flows/${flowId}/cases/runs/${id}`);
    return this.store.view(flowId, id);
  }

  @Documented({
    summary: 'Read a run of cases',
    description: 'Its progress and the results so far. Stored for 7 days, at most 20 of a flow.',
    errors: ['not_found'],
    answers: answered('The run.', caseRun),
  })
  @Get('runs/:runId')
  view(@Param('flowId') flowId: string, @Param('runId') runId: string): Promise<CaseRunView> {
    return this.store.view(flowId, runId);
  }

  @Documented({
    summary: 'End and delete a run of cases',
    errors: ['not_found'],
    answers: NOTHING,
  })
  @Delete('runs/:runId')
  @HttpCode(204)
  remove(@Param('flowId') flowId: string, @Param('runId') runId: string): Promise<void> {
    return this.runs.remove(flowId, runId);
  }

  /** Throws 400 with the path of each unknown case. */
  private async itemsOf(flowId: string, { caseIds, executionIds, calls }: NewCaseRun): Promise<CaseItem[]> {
    const compared = (executionIds ?? []).map((executionId): CaseItem => ({
      executionId,
      calls: calls ?? 'recorded',
    }));
    if (caseIds === undefined && executionIds !== undefined) return compared;
    const all = new Map((await this.cases.list(flowId, MOST_CASES)).map((each) => [each.id, each]));
    const chosen = caseIds ?? [...all.keys()];
    const unknown = chosen.flatMap((id, index) =>
      all.has(id) ? [] : [{ path: `caseIds.${index}`, message: 'is no case of this flow' }],
    );
    if (unknown.length > 0) throw new InvalidRequest(unknown.slice(0, 100));
    const cases = chosen.map((id): CaseItem => {
      const each = all.get(id)!;
      return { case: each, calls: calls ?? each.calls };
    });
    return [...cases, ...compared];
  }
}
