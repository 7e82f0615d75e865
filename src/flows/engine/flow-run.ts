import { setMaxListeners } from 'node:events';
import { Warnings } from '../../common/warnings.js';
import { MaskedTokens } from '../../common/masking/masked-tokens.js';
import { SecretMask } from '../../common/masking/secret-mask.js';
import { AnswerText } from './answer-text.js';
import type { FlowGraph, GraphNode } from './flow-graph.js';
import { EffectUnknown, forgetfulJournal, type Journal } from './journal.js';
import type { Json } from './json.js';
import type { NodeKinds, RunInput } from './node-kind.js';
import type { NodeFailure, NodeRun, RunEvent, RunResult, TokenUsage } from './run-event.js';
import { RunScope } from './run-scope.js';
import { toldEvent } from './told-event.js';

/** What a run starts from: the call, and the flow state that the chat kept. */
export interface FlowInput extends RunInput {
  state: Record<string, Json>;
  /** The snapshot of a run that waits for `humanInput`: the run goes on where it stopped. */
  resume?: Json;
  /** What nobody outside of the run reads, known from the start: what earlier runs kept may hold it. */
  secrets?: readonly string[];
}

export interface RunOptions {
  /** Aborts the run. */
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  newId(): string;
  /** Keeps what the run does outside of its own record; absent, nothing is kept. */
  journal?: Journal;
}

/** More node runs than any sensible flow makes: an endless loop ends here. */
const MOST_NODE_RUNS = 10_000;

/** So long nodes may follow one another without anybody else being served: nodes that only compute never leave the loop. */
const LONGEST_STRETCH_MS = 20;

/** One for all runs: a stack would cost each of them more than a small node does. */
const RUN_IS_OVER = new Error('The run is over.');

const endings: ReadonlySet<RunEvent['type']> = new Set(['finished', 'waiting', 'failed', 'aborted']);

/** Everything that the nodes of one run have in common: state, events, the growing answer, and the one ending. */
export class FlowRun {
  readonly state: Record<string, Json>;
  readonly scope: RunScope;
  readonly answer: AnswerText;
  readonly attempts = new Map<string, number>();
  readonly journal: Journal;
  readonly warnings = new Warnings();
  /** What no event tells (contract section 8). Nodes add what they learn; they work with values as they are. */
  readonly secrets = new SecretMask();
  json: Json | undefined;
  followUpPrompts: string[] | undefined;
  private readonly controller = new AbortController();
  private readonly running = new Set<NodeRun>();
  private readonly tokens: MaskedTokens;
  private usage: TokenUsage | undefined;
  private stateChanged = false;
  private nodeRuns = 0;
  private servedAt: number;
  private over = false;

  constructor(
    readonly graph: FlowGraph,
    readonly kinds: NodeKinds,
    readonly input: FlowInput,
    readonly options: RunOptions,
    private readonly listener: { next(event: RunEvent): void; complete(): void },
  ) {
    this.state = Object.assign(Object.create(null) as Record<string, Json>, input.state);
    this.journal = options.journal ?? forgetfulJournal(input.executionId);
    this.scope = new RunScope(input, this.state, () => options.now());
    this.servedAt = options.now();
    this.answer = new AnswerText(graph.leaves, (nodeId, text) => this.emit({ type: 'token', nodeId, text }));
    this.tokens = new MaskedTokens(this.secrets, (nodeId, text) =>
      this.listener.next({ type: 'token', nodeId, text }),
    );
    this.secrets.add(literalSecrets(graph, kinds)).add(input.secrets ?? []);
    // Any number of nodes may listen at once.
    setMaxListeners(0, this.controller.signal);
    options.signal.addEventListener('abort', this.abort, { once: true });
  }

  /** Aborted when the run is over for whatever reason: what nodes listen to. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Tells an event; after the ending, nothing is told any more. */
  emit(event: RunEvent): void {
    if (this.over) return;
    if (!endings.has(event.type)) {
      this.tell(event);
      return;
    }
    this.stopRunning();
    this.over = true;
    this.options.signal.removeEventListener('abort', this.abort);
    this.tokens.flush();
    this.tell(event);
    this.listener.complete();
    this.controller.abort(RUN_IS_OVER);
  }

  private tell(event: RunEvent): void {
    if (this.secrets.isEmpty) return this.listener.next(event);
    if (event.type === 'token') return this.tokens.push(event.nodeId, event.text);
    if (event.type === 'node-ended') this.tokens.flush(event.run.nodeId);
    this.listener.next(toldEvent(event, this.secrets));
  }

  /** Lets others be served before the next node where the ones before it have taken long. */
  breathe(): Promise<void> | undefined {
    if (this.options.now() - this.servedAt < LONGEST_STRETCH_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        this.servedAt = this.options.now();
        resolve();
      }),
    );
  }

  begin(run: NodeRun): void {
    if (++this.nodeRuns > MOST_NODE_RUNS)
      throw new Error(`The flow ran ${MOST_NODE_RUNS} nodes without coming to an end. Bound its loop.`);
    this.running.add(run);
    this.emit({ type: 'node-started', run });
  }

  end(run: NodeRun, ended: Partial<NodeRun> & Pick<NodeRun, 'status'>): void {
    if (!this.running.delete(run)) return;
    const durationMs = Math.max(0, this.options.now() - run.startedAt);
    this.emit({ type: 'node-ended', run: { ...run, ...ended, durationMs } });
  }

  fail(node: Pick<GraphNode, 'id' | 'label'>, error: unknown): void {
    const code = codeOf(error);
    const failure: NodeFailure = {
      nodeId: node.id,
      label: node.label,
      message: this.messageOf(error),
      ...(code === undefined ? {} : { code }),
      cause: error,
    };
    this.emit({ type: 'failed', failure });
  }

  /** Of an error: secrets go before it is cut, so that the cut leaves no part of one. */
  messageOf(error: unknown): string {
    return messageOf(error, (text) => this.secrets.text(text));
  }

  addUsage(nodeId: string, usage: TokenUsage): void {
    this.usage = {
      inputTokens: (this.usage?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (this.usage?.outputTokens ?? 0) + usage.outputTokens,
    };
    this.emit({ type: 'usage', nodeId, usage });
  }

  setState(name: string, value: Json): void {
    const before = this.state[name];
    if (before !== value && JSON.stringify(before) !== JSON.stringify(value)) this.stateChanged = true;
    this.state[name] = value;
  }

  nextAttempt(nodeId: string): number {
    const attempt = (this.attempts.get(nodeId) ?? 0) + 1;
    this.attempts.set(nodeId, attempt);
    return attempt;
  }

  /** The result as it stands. Ends the answer: no token comes after it. */
  result(): RunResult {
    return {
      text: this.answer.finish(),
      ...(this.json === undefined ? {} : { json: this.json }),
      state: this.state,
      stateChanged: this.stateChanged,
      ...(this.usage === undefined ? {} : { tokens: this.usage }),
      ...(this.followUpPrompts === undefined ? {} : { followUpPrompts: this.followUpPrompts }),
      warnings: this.warnings.list(),
    };
  }

  /** Nobody listens any more: stops everything and tells nothing. */
  drop(): void {
    this.over = true;
    this.options.signal.removeEventListener('abort', this.abort);
    this.controller.abort(RUN_IS_OVER);
  }

  /** The caller's signal says stop. */
  readonly abort = (): void => {
    const reason: unknown = this.options.signal.reason;
    this.emit({ type: 'aborted', reason: typeof reason === 'string' ? reason : messageOf(reason) });
  };

  private stopRunning(): void {
    for (const run of [...this.running]) this.end(run, { status: 'stopped' });
  }
}

const literals = new WeakMap<FlowGraph, string[]>();

/** Those that stand in the flow itself, read once a flow. */
function literalSecrets(graph: FlowGraph, kinds: NodeKinds): string[] {
  let found = literals.get(graph);
  if (!found) {
    found = [...graph.byId.values()].flatMap(
      ({ kind, config }) => kinds.get(kind)?.secretsIn?.(config) ?? [],
    );
    literals.set(graph, found);
  }
  return found;
}

/** The code of a failure that the record names by itself. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof EffectUnknown ? error.code : undefined;

/** What the trace and the flow's owner read about a failure; bounded, and never a stack. */
export function messageOf(error: unknown, masked = (text: string) => text): string {
  const message = masked(error instanceof Error ? error.message : String(error));
  return message.length > 2_000 ? `${message.slice(0, 2_000)}…` : message;
}
