import { Injectable } from '@nestjs/common';
import type { ApprovalAction } from '../../api/executions.js';
import type { PredictionAnswer, PredictionEvent, StreamMetadata } from '../../api/predictions.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlReader } from '../../database/tx.js';
import { AsyncRunStore } from '../../executions/async/async-run-store.js';
import { firstIdAt } from '../../executions/execution-id.js';
import { executionColumns, type ExecutionEntity } from '../../executions/log/execution.entity.js';
import { COULD_NOT_CONTINUE, internalError, NEUTRAL } from '../call/prediction-answer.js';
import { ChatTurn } from '../memory/chat-turn.entity.js';
import { RunInputs } from '../run/run-inputs.js';
import { badEnding, goodEnding } from '../stream/prediction-form.js';

/** Time for which the terminal event stays available to clients that reconnect. */
const END_AVAILABLE_MS = 24 * 3_600_000;

const READ = [
  ...([
    'id',
    'flowId',
    'chatId',
    'status',
    'code',
    'error',
    'failedNodeId',
    'finishedAt',
    'processId',
  ] as const),
  ...(['question', 'answer', 'credits', 'inputTokens', 'outputTokens'] as const),
  ...(['runId', 'replayOf', 'resumes'] as const),
] as const;
type Ended = Pick<ExecutionEntity, (typeof READ)[number]>;
const FIND = `SELECT ${executionColumns.selected(READ)} FROM executions
  WHERE id = ? AND flow_id = ? AND kind = 'prediction'`;

const WORDS = ['id', 'question', 'answer'] as const;
type TurnWords = Pick<ChatTurn, (typeof WORDS)[number]>;
const TURN = `SELECT ${new EntityColumns(ChatTurn).selected(WORDS)} FROM chat_turns
  WHERE flow_id = ? AND chat_id = ? AND id >= ? AND id < ? AND execution_id = ?`;

const ACTION = `SELECT action FROM run_stops WHERE execution_id = ? AND decision IS NULL ORDER BY asked_at DESC, id LIMIT 1`;

/** Adds the whole answer: a reader of the end alone has missed its tokens. */
interface EndMetadata extends StreamMetadata {
  text: string;
}

/** A run found by the token of its stream. */
export interface FoundRun {
  readonly end?: readonly PredictionEvent[];
  /** Process that runs it, or that may still have all its frames. */
  readonly owner?: string;
}

/**
 * Reads the end of a stream from its record, whichever process ran it (contract section 13). Question and answer come
 * from the chat, or from the record if the chat was deleted, where they are masked and may be truncated.
 */
@Injectable()
export class StreamEnds {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly runs: AsyncRunStore,
    private readonly inputs: RunInputs,
  ) {}

  /**
   * Finds a run: its `end` if it ended within the last day, its `owner` while it runs or its frames are stored. Neither
   * if this flow has no such run.
   */
  async find(flowId: string, executionId: string, seesFailures: boolean): Promise<FoundRun> {
    const run = await this.read(executionId, flowId);
    if (!run) return {};
    const owner = run.processId ? { owner: run.processId } : {};
    if (run.status === 'running') return owner;
    const since = this.clock.now() - run.finishedAt!;
    if (since >= END_AVAILABLE_MS) return {};
    // The record of a replay has no answer of its own.
    const answered = run.replayOf === null ? run : await this.read(run.replayOf, flowId);
    if (!answered || answered.status === 'running') return {};
    const end = await this.endOf(answered, seesFailures);
    return since < this.config.streamGraceMs ? { end, ...owner } : { end };
  }

  private read(executionId: string, flowId: string): Promise<Ended | undefined> {
    return this.reader.one<Ended>(FIND, [executionId, flowId]);
  }

  private async endOf(run: Ended, seesFailures: boolean): Promise<readonly PredictionEvent[]> {
    const { status, code, error, failedNodeId } = run;
    if (status === 'succeeded' || status === 'waiting')
      return goodEnding(await this.metadataOf(run), undefined);
    if (failedNodeId !== null && code === 'overloaded') return badEnding(COULD_NOT_CONTINUE);
    if (failedNodeId !== null && !seesFailures) return badEnding(NEUTRAL);
    return badEnding(error ?? internalError().message);
  }

  private async metadataOf(run: Ended): Promise<EndMetadata> {
    const { id: executionId, credits, inputTokens, outputTokens } = run;
    const chatId = run.chatId ?? '';
    const turn = await findTurn(this.reader, run);
    // Only a click needs its answer: the sessionId and the next question are not in its record.
    const click =
      run.resumes === null
        ? undefined
        : ((await this.runs.find(executionId))?.answer as PredictionAnswer | undefined);
    const sessionId = click?.sessionId ?? (await this.inputs.sessionOf(run.runId ?? executionId));
    const action = run.status === 'waiting' ? await this.openQuestion(executionId) : click?.action;
    return {
      text: turn?.answer ?? run.answer ?? '',
      question: turn?.question ?? run.question ?? '',
      chatId,
      chatMessageId: turn?.id ?? executionId,
      sessionId: sessionId ?? chatId,
      executionId,
      ...(action === undefined ? {} : { action }),
      usage: {
        credits,
        ...(inputTokens === null ? {} : { inputTokens }),
        ...(outputTokens === null ? {} : { outputTokens }),
      },
    };
  }

  private async openQuestion(executionId: string): Promise<ApprovalAction | undefined> {
    const open = await this.reader.one<{ action: string }>(ACTION, [executionId]);
    return open && (JSON.parse(open.action) as ApprovalAction);
  }
}

/** Finds the turn of a run: its id begins with the instant at which the run ended. */
const findTurn = (
  reader: SqlReader,
  { id, flowId, chatId, finishedAt }: Ended,
): Promise<TurnWords | undefined> =>
  reader.one<TurnWords>(TURN, [flowId, chatId, firstIdAt(finishedAt!), firstIdAt(finishedAt! + 1), id]);
