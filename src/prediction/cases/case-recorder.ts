import { Injectable } from '@nestjs/common';
import { declareBudget } from '../../common/budgets/budget.js';
import { InvalidRequest } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { isExecutionId } from '../../executions/execution-id.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import { type ExecutionNodeRow, nodesOf } from '../../executions/read/execution-view.js';
import type { Json } from '../../flows/engine/json.js';
import { checkPrediction } from '../call/prediction-body.js';
import { type Hold, INPUT_PATH, RunInputs } from '../run/run-inputs.js';
import type { CaseCall } from './case-journal.js';
import { type RecordedCase, recordedInput } from './recording.js';
import { callingNodes, type RecordedRequest, Requests } from './request-changes.js';

interface SourceRow {
  id: string;
  runId: string | null;
  chatId: string;
  status: string;
  answer: string | null;
  replayOf: string | null;
  resumes: string | null;
  trace: string | null;
}

const RECORDING = declareBudget({
  name: 'recorded answers of a case',
  unit: 'bytes',
  owner: 'call',
  share: 16 * 1024 * 1024,
  beyond: '400 invalid_request',
  reason: 'Answers of models and of other services; an ordinary run has some tens of kilobytes.',
});

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'waiting']);

/** Copies from an execution what a case needs: its input, its whole recorded answers, the requests of its trace. */
@Injectable()
export class CaseRecorder {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly log: ExecutionLog,
    private readonly journal: EffectJournal,
    private readonly inputs: RunInputs,
  ) {}

  /** Throws 400 with a sentence if the execution cannot be repeated. */
  async record(flowId: string, executionId: string, hold: Hold): Promise<RecordedCase> {
    const source = await this.sourceOf(flowId, executionId);
    const input = await this.inputs.read(executionId, hold);
    const gone = input.uploads.filter(({ bytes, url }) => bytes === undefined && url === undefined);
    if (gone.length > 0)
      throw refused(`had files that are no longer stored: ${gone.map(({ name }) => `"${name}"`).join(', ')}`);
    const calls = await this.callsOf(source.runId ?? executionId);
    return recordedInput(input, {
      source: { executionId, chatId: source.chatId },
      before: await this.answerOf(flowId, source),
      calls,
      requests: await this.requestsOf(source, calls),
    });
  }

  /** Returns a case of an input as callers send it. Throws 400 with the path of each fault. */
  fromInput(input: Record<string, unknown>): RecordedCase {
    const body = read(input);
    const stored = body.uploads.findIndex((upload) => upload.stored !== undefined);
    if (stored >= 0)
      throw new InvalidRequest([
        { path: `input.uploads.${stored}`, message: 'must carry its bytes: a case belongs to no chat' },
      ]);
    const { uploads } = body;
    return recordedInput({ body, remembered: [], uploads }, { before: null, calls: [], requests: [] });
  }

  private async sourceOf(flowId: string, executionId: string): Promise<SourceRow> {
    await this.log.flush();
    const row = isExecutionId(executionId)
      ? await this.reader.one<SourceRow>(
          `SELECT id, run_id AS "runId", chat_id AS "chatId", status, answer, replay_of AS "replayOf", resumes, trace
           FROM executions WHERE id = ? AND flow_id = ? AND kind = 'prediction'`,
          [executionId, flowId],
        )
      : undefined;
    if (!row) throw refused('is no run of this flow');
    if (row.status === 'running') throw refused('still runs: wait for its end');
    if (row.replayOf !== null) throw refused(`returned a stored answer: take ${row.replayOf}`);
    if (row.resumes !== null) throw refused(`answered the question of a run: take ${row.resumes}`);
    if (!ENDED.has(row.status)) throw refused(`was ${row.status} and has no whole run to copy`);
    return row;
  }

  private async callsOf(runId: string): Promise<CaseCall[]> {
    if ((await this.journal.sizeOf(runId)) > RECORDING.share)
      throw refused(`has more than ${RECORDING.share / 1024 / 1024} MB of recorded answers`);
    const effects = await this.journal.effectsOf(runId).catch(() => {
      throw refused('was recorded with another key of the service, so its answers cannot be read');
    });
    return effects
      .filter(({ path }) => path !== INPUT_PATH)
      .map(({ path, result }) => ({ path, result: result as Json }));
  }

  /** Returns the whole answer, from the chat; the record's is truncated. A run that waited for a human answered its question. */
  private async answerOf(flowId: string, { id, chatId, answer }: SourceRow): Promise<string | null> {
    const turn = await this.reader.one<{ answer: string }>(
      'SELECT answer FROM chat_turns WHERE flow_id = ? AND chat_id = ? AND execution_id = ? ORDER BY id LIMIT 1',
      [flowId, chatId, id],
    );
    return turn?.answer ?? answer;
  }

  private async requestsOf({ id, trace }: SourceRow, calls: readonly CaseCall[]): Promise<RecordedRequest[]> {
    const rows = await this.reader.all<ExecutionNodeRow>(
      'SELECT run_id, position, data FROM execution_nodes WHERE execution_id = ?',
      [id],
    );
    const requests = new Requests(callingNodes(calls.map(({ path }) => path)));
    for (const { run } of nodesOf(rows, trace)) requests.add(run);
    return requests.list;
  }
}

function read(input: Record<string, unknown>) {
  try {
    return checkPrediction(input);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new InvalidRequest(error.errors.map(({ path, message }) => ({ path: `input.${path}`, message })));
  }
}

const refused = (message: string): InvalidRequest => new InvalidRequest([{ path: 'executionId', message }]);
