import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../../database/database-reader.js';
import { ApprovalUpkeep } from '../../executions/approvals/approval-upkeep.js';
import { WaitingRuns } from '../../executions/approvals/waiting-runs.js';
import { FlowWrites } from '../../flows/store/flow-writes.js';
import { AsyncEnds } from '../async/async-ends.js';
import { Callbacks } from '../async/callbacks.js';
import { flowDeleted } from '../call/prediction-answer.js';

const BATCH = 100;

/** Finds deleted flows with open approvals, skipping by index from flow to flow however many approvals each has. */
const FLOWLESS = `WITH RECURSIVE asking (flow_id) AS (
    SELECT MIN(flow_id) FROM run_stops WHERE decision IS NULL
    UNION ALL
    SELECT (SELECT MIN(flow_id) FROM run_stops WHERE decision IS NULL AND flow_id > asking.flow_id)
    FROM asking WHERE flow_id IS NOT NULL
  )
  SELECT flow_id AS "flowId" FROM asking
  WHERE flow_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM flows WHERE flows.id = asking.flow_id)`;

/** Reads open approvals of a flow, also of runs that ask only after the deletion. */
const OPEN = `SELECT id, execution_id AS "executionId" FROM run_stops
  WHERE decision IS NULL AND flow_id = ? AND id > ? ORDER BY id LIMIT ${BATCH}`;

const WAITED = flowDeleted('The flow was deleted while its run waited for a human.');

/** Reads runs that wait for their chat's lock. A run that is just being taken over is found by the next round. */
const QUEUED = `SELECT id FROM executions WHERE status = 'running' AND outlives_process = 1 AND process_id IS NOT NULL
  AND holds_turn IS NULL AND id > ? AND NOT EXISTS (SELECT 1 FROM flows WHERE flows.id = executions.flow_id)
  ORDER BY id LIMIT ${BATCH}`;

/**
 * Ends runs of deleted flows that wait for a human, since nobody can answer them any more, and runs that have not begun
 * (contract section 11, Approvals). Works after each deletion, in each round of the upkeep, and before a flow is created
 * under a chosen id, so that no crash and no other process leaves any.
 */
@Injectable()
export class DeletedFlows {
  constructor(
    flows: FlowWrites,
    upkeep: ApprovalUpkeep,
    private readonly waiting: WaitingRuns,
    private readonly ends: AsyncEnds,
    private readonly callbacks: Callbacks,
    private readonly reader: DatabaseReader,
  ) {
    upkeep.alsoEnd(() => this.end());
    // A later flow with the id of a deleted one must not continue its runs.
    flows.onCreating(() => this.end());
    flows.onRemoved(() => void upkeep.round());
  }

  /** Ends runs that wait for a human, refunded. */
  async endWaitingRuns(executionIds: readonly string[]): Promise<void> {
    await this.waiting.endEach(executionIds, 'flow_deleted', WAITED);
    if (executionIds.length > 0) this.callbacks.hurry();
  }

  private async end(): Promise<void> {
    await this.endWaiting();
    await this.endQueued();
  }

  private async endWaiting(): Promise<void> {
    for (const { flowId } of await this.reader.all<{ flowId: string }>(FLOWLESS))
      await this.endWaitingOf(flowId);
  }

  private async endQueued(): Promise<void> {
    for (let after = ''; ;) {
      const queued = await this.reader.all<{ id: string }>(QUEUED, [after]);
      for (const { id } of queued) await this.ends.endQueued(id);
      if (queued.length > 0) this.callbacks.hurry();
      if (queued.length < BATCH) return;
      after = queued.at(-1)!.id;
    }
  }

  private async endWaitingOf(flowId: string): Promise<void> {
    for (let after = ''; ;) {
      const open = await this.reader.all<{ id: string; executionId: string }>(OPEN, [flowId, after]);
      await this.endWaitingRuns(open.map(({ executionId }) => executionId));
      if (open.length < BATCH) return;
      after = open.at(-1)!.id;
    }
  }
}
