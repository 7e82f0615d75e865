import { setMaxListeners } from 'node:events';
import type { Tokens } from '../../api/executions.js';
import { MaskedTokens } from '../../common/masking/masked-tokens.js';
import { SecretMask } from '../../common/masking/secret-mask.js';
import { Warnings } from '../../common/warnings.js';
import { AnswerText } from './answer-text.js';
import type { FlowGraph, GraphNode } from './flow-graph.js';
import { forgetfulJournal, type Journal } from './journal.js';
import type { Json } from './json.js';
import { maskedEvent } from './masked-event.js';
import type { NodeKinds } from './node-kind.js';
import { RunBudget, StateBudget } from './run-budget.js';
import type { NodeFailure, NodeRun, RunEvent, RunResult } from './run-event.js';
import { causeOf, codeOf, literalSecrets, messageOf, releaseFrames } from './run-failure.js';
import type { FlowInput, RunFlow, RunOptions } from './run-options.js';
import { RunScope } from './run-scope.js';
import { RUN_IS_OVER } from './within.js';

/** The longest time that nodes run without yielding to the event loop; nodes that only compute never yield by themselves. */
const LONGEST_STRETCH_MS = 20;

const endings: ReadonlySet<RunEvent['type']> = new Set(['finished', 'waiting', 'failed', 'aborted']);

/** The shared context of the nodes of one run: state, events, the growing answer, and the one ending. */
export class FlowRun {
  /** The state that the run reads. */
  readonly state: Record<string, Json>;
  /** The state to store with the chat: in a resumed run that of the chat by now, with the changes of the run. */
  readonly chatState: Record<string, Json>;
  readonly scope: RunScope;
  readonly answer: AnswerText;
  readonly attempts = new Map<string, number>();
  readonly journal: Journal;
  readonly warnings = new Warnings();
  /** Secrets that are masked in all events (contract section 8). Nodes add secrets, and work with unmasked values. */
  readonly secrets: SecretMask;
  readonly budget: RunBudget;
  readonly input: FlowInput;
  readonly stateBudget: StateBudget;
  json: Json | undefined;
  followUpPrompts: string[] | undefined;
  private readonly controller = new AbortController();
  private readonly running = new Map<string, { run: NodeRun; part: 'node' | 'call' }>();
  private readonly tokens: MaskedTokens;
  private usage: Tokens | undefined;
  private stateChanged = false;
  private servedAt: number;
  private over = false;

  constructor(
    readonly graph: FlowGraph,
    readonly kinds: NodeKinds,
    input: FlowInput,
    readonly options: RunOptions,
    private readonly listener: { next(event: RunEvent): void; complete(): void },
    readonly runFlow: RunFlow,
  ) {
    const { within } = options;
    this.secrets = within?.secrets ?? new SecretMask();
    this.budget = within?.budget ?? options.budget ?? new RunBudget(input);
    this.input = within
      ? input
      : { ...input, history: this.budget.counting((...args) => input.history(...args)) };
    this.chatState = within?.chatState ?? copyOf(input.state);
    this.state = within?.state ?? (input.resume ? copyOf(input.state) : this.chatState);
    this.stateBudget = within?.stateBudget ?? new StateBudget(this.chatState);
    this.journal = options.journal ?? forgetfulJournal(input.executionId);
    this.scope = new RunScope(this.input, this.state, () => options.now());
    this.servedAt = options.now();
    this.answer = new AnswerText(graph.leaves, (nodeId, text) => this.say(nodeId, text));
    this.tokens = new MaskedTokens(this.secrets, (nodeId, text) =>
      this.listener.next({ type: 'token', nodeId, text }),
    );
    this.secrets.add(literalSecrets(graph, kinds)).add(input.secrets ?? []);
    // Any number of nodes may listen at once.
    setMaxListeners(0, this.controller.signal);
    options.signal.addEventListener('abort', this.abort, { once: true });
  }

  /** Aborted when the run is over for any reason; passed to the nodes. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Emits an event. Emits nothing after the ending. */
  emit(event: RunEvent): void {
    if (this.over) return;
    if (!endings.has(event.type)) {
      this.publish(event);
      return;
    }
    this.stopRunning();
    this.over = true;
    this.options.signal.removeEventListener('abort', this.abort);
    this.tokens.flush();
    this.publish(event);
    this.listener.complete();
    this.controller.abort(RUN_IS_OVER);
  }

  private say(nodeId: string, text: string): void {
    this.budget.countAnswer(text);
    this.emit({ type: 'token', nodeId, text });
  }

  private publish(event: RunEvent): void {
    // An outer run masks the events, and continues with unmasked values.
    if (this.secrets.isEmpty || this.options.within) return this.listener.next(event);
    if (event.type === 'token') return this.tokens.push(event.nodeId, event.text);
    if (event.type === 'node-ended') this.tokens.flush(event.run.nodeId);
    this.listener.next(maskedEvent(event, this.secrets));
  }

  /** Yields to the event loop before the next node when the nodes before it took long. */
  breathe(): Promise<void> | undefined {
    const servedFor = this.options.now() - this.servedAt;
    // Below 0 if the clock was set back meanwhile.
    if (servedFor >= 0 && servedFor < LONGEST_STRETCH_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        this.servedAt = this.options.now();
        resolve();
      }),
    );
  }

  begin(run: NodeRun, part: 'node' | 'call' = 'node'): void {
    this.budget.countNodeRun();
    this.running.set(run.runId, { run, part });
    this.emit({ type: `${part}-started`, run });
  }

  end(run: NodeRun, ended: Partial<NodeRun> & Pick<NodeRun, 'status'>): void {
    const started = this.running.get(run.runId);
    if (!started) return;
    this.running.delete(run.runId);
    const durationMs = Math.max(0, this.options.now() - run.startedAt);
    this.emit({ type: `${started.part}-ended`, run: { ...run, ...ended, durationMs } });
  }

  /** Forwards an event of a sub-flow's node run, which is counted there and stopped with this run. */
  adopt(event: Extract<RunEvent, { run: NodeRun }>): void {
    const { run, type } = event;
    const part = type.startsWith('call') ? 'call' : 'node';
    if (type === 'node-started' || type === 'call-started') this.running.set(run.runId, { run, part });
    else if (!this.running.delete(run.runId)) return;
    this.emit(event);
  }

  /** Applies state that a sub-flow of the same chat changed. */
  takeState(changed: Record<string, Json>): void {
    for (const [name, value] of Object.entries(changed)) {
      this.setState(name, value);
      this.stateChanged = true;
    }
  }

  fail(node: Pick<GraphNode, 'id' | 'label'>, error: unknown): void {
    releaseFrames(error);
    const code = codeOf(error);
    const failure: NodeFailure = {
      nodeId: node.id,
      label: node.label,
      message: this.messageOf(error),
      ...(code === undefined ? {} : { code }),
      cause: causeOf(error),
    };
    this.emit({ type: 'failed', failure });
  }

  /** Returns the message of an error. Masks secrets before it is cut, so that no part of one is left. */
  messageOf(error: unknown): string {
    return messageOf(error, (text) => this.secrets.text(text));
  }

  addUsage(nodeId: string, usage: Tokens): void {
    this.usage = {
      inputTokens: (this.usage?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (this.usage?.outputTokens ?? 0) + usage.outputTokens,
    };
    this.emit({ type: 'usage', nodeId, usage });
  }

  setState(name: string, value: Json): void {
    this.stateBudget.take(name, value);
    if (!isSame(this.chatState[name], value)) this.stateChanged = true;
    this.state[name] = this.chatState[name] = value;
  }

  nextAttempt(nodeId: string): number {
    const attempt = (this.attempts.get(nodeId) ?? 0) + 1;
    this.attempts.set(nodeId, attempt);
    return attempt;
  }

  /** Ends the answer and returns the result. */
  result(): RunResult {
    return {
      text: this.answer.finish(),
      ...(this.json === undefined ? {} : { json: this.json }),
      state: this.chatState,
      stateChanged: this.stateChanged,
      ...(this.usage === undefined ? {} : { tokens: this.usage }),
      ...(this.followUpPrompts === undefined ? {} : { followUpPrompts: this.followUpPrompts }),
      warnings: this.warnings.list(),
    };
  }

  /** Stops everything and emits nothing, after the subscriber has left. */
  drop(): void {
    this.over = true;
    this.options.signal.removeEventListener('abort', this.abort);
    this.controller.abort(RUN_IS_OVER);
    if (!this.options.within && !this.options.budget) this.budget.end();
  }

  /** Ends the run when the caller's signal is aborted. */
  readonly abort = (): void => {
    const reason: unknown = this.options.signal.reason;
    this.emit({ type: 'aborted', reason: typeof reason === 'string' ? reason : messageOf(reason) });
  };

  private stopRunning(): void {
    for (const { run } of [...this.running.values()]) this.end(run, { status: 'stopped' });
  }
}

const copyOf = (state: Record<string, Json>): Record<string, Json> =>
  Object.assign(Object.create(null) as Record<string, Json>, state);

/** Compares values. Converts only objects to JSON, because long texts would take milliseconds. */
const isSame = (one: Json | undefined, other: Json): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other));
