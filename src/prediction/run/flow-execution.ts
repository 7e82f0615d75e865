import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { lastValueFrom, Subject } from 'rxjs';
import { Clock } from '../../common/clock.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { newExecutionId } from '../../executions/execution-id.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import { runFlow } from '../../flows/engine/flow-runner.js';
import type { Persisted, NodeKinds } from '../../flows/engine/node-kind.js';
import type { RunBudget } from '../../flows/engine/run-budget.js';
import type { RunEvent } from '../../flows/engine/run-event.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { ChatMemory } from '../memory/chat-memory.js';
import type { FrameLog } from '../stream/frame-log.js';
import { FlowSecrets } from './flow-secrets.js';
import { prepareInput } from './run-input.js';
import { RunInputs } from './run-inputs.js';
import { logFrames, RunWatch, reportExecuted, traceRun } from './run-listeners.js';
import type { RunSummary } from './run-outcomes.js';

/** The last event of a run, and its measurements. */
export interface EngineEnd {
  last: RunEvent;
  seen: RunSummary;
}

/**
 * Runs a flow whose record is open. The run is a hot sequence of events. The trace, the frames and the measurements
 * subscribe to it; none of them can delay it.
 */
@Injectable()
export class FlowExecution {
  constructor(
    private readonly kinds: NodeKindRegistry,
    private readonly memory: ChatMemory,
    private readonly secrets: FlowSecrets,
    private readonly log: ExecutionLog,
    private readonly clock: Clock,
    private readonly journal: EffectJournal,
    private readonly inputs: RunInputs,
  ) {}

  async run(
    call: PredictionCall,
    context: CallContext,
    frames: FrameLog | undefined,
    budget: RunBudget,
  ): Promise<EngineEnd> {
    const { apiCall, flow } = call;
    const events = new Subject<RunEvent>();
    const watch = new RunWatch(events, flow.definition.exposeTrace === true, () =>
      Math.max(0, this.clock.now() - apiCall.startedAt),
    );
    if (frames) {
      logFrames(events, frames);
      const traceFollows = flow.definition.exposeTrace === true;
      reportExecuted(events, flow.graph, (event) => frames.append(event), traceFollows);
    }
    const journal = this.journal.openFor({
      executionId: context.executionId,
      runId: call.answers?.runId ?? context.runId,
      attempt: context.attempt,
      revision: flow.contentHash,
      isResumed: context.isResumed,
    });
    const trace = this.log.trace(call.answers?.executionId ?? apiCall.executionId, context);
    traceRun(events, trace);
    const ended = lastValueFrom(events);
    const { input, warnings, state } = await this.prepare(call, context);
    const noted = this.inputs.note(call, state, journal, ended);
    const options = {
      signal: context.signal,
      now: () => this.clock.now(),
      newId: () => newExecutionId(this.clock.now()),
      newToken: () => randomBytes(16).toString('base64url'),
      journal,
      budget,
    };
    runFlow(flow.graph, this.kinds.all, input, options).subscribe(events);
    const last = await ended;
    await noted;
    const { measured, nodes } = watch;
    return { last, seen: { measured, nodes, warnings, trace, owed: journal.owed } };
  }

  /** Prepares the input. State and history are read only for flows that use them, in a chat named by the caller. */
  private async prepare(call: PredictionCall, { isResumed }: CallContext) {
    const { flow, chatId, body } = call;
    const chat = { flowId: flow.id, chatId };
    const named = body.chatId !== undefined;
    const { after } = (call.resumes?.first ?? call).body;
    const keeps = keepsOf(flow.definition, this.kinds.all);
    const state = named && keeps.state ? await this.memory.state(chat) : undefined;
    // Texts that an earlier run or attempt stored may hold secrets that a target answered.
    const secrets = state || call.resumes || isResumed ? await this.secrets.read(flow) : [];
    const prepared = prepareInput(call, {
      state,
      history: async (limit, onCut) =>
        named && keeps.memory ? this.memory.history(chat, { limit, after, onCut }) : [],
    });
    return { ...prepared, state, input: { ...prepared.input, secrets } };
  }
}

const known = new WeakMap<FlowDefinition, Persisted>();

/**
 * Returns the state and memory that a flow stores between runs, by the kinds of its nodes. Computed once per revision;
 * flows without state then need no read.
 */
export function keepsOf(definition: FlowDefinition, kinds: NodeKinds): Persisted {
  let keeps = known.get(definition);
  if (!keeps) known.set(definition, (keeps = readKeeps(definition, kinds)));
  return keeps;
}

function readKeeps({ nodes }: FlowDefinition, kinds: NodeKinds): Persisted {
  const declared = nodes.map(({ kind, config = {} }) => kinds.get(kind)?.persists?.(config) ?? {});
  return {
    state:
      declared.some(({ state = true }) => state) ||
      nodes.some(({ config = {} }) => Object.hasOwn(config, 'updateState')) ||
      readsState(nodes),
    memory: declared.every(({ memory = true }) => memory),
  };
}

/** Returns true if the flow reads state, which a caller may set (`startState`). */
function readsState(nodes: FlowDefinition['nodes']): boolean {
  const text = JSON.stringify(nodes);
  return text.includes('$flow.state') || text.includes('$flow[');
}
