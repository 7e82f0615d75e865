import type { SourceDocument } from '../../api/documents.js';
import type { StreamedCall } from '../../api/predictions.js';
import type { Warning } from '../../common/warnings.js';
import type { GraphNode } from './flow-graph.js';
import type { FlowRun } from './flow-run.js';
import type { AnsweredQuestion } from './human-question.js';
import type { Json } from './json.js';
import { runCall } from './node-call.js';
import { NodeEffects } from './node-effects.js';
import type { BodyResult, CallResult, NodeCall, NodeContext, NodeResult, RunInput } from './node-kind.js';
import { literalsIn, type NodePlan, planOf } from './node-plan.js';
import { NodeTexts } from './node-texts.js';
import type { NodeRun } from './run-event.js';
import { codeOf } from './run-failure.js';
import { nodeValue, resultText } from './run-scope.js';
import { runSubFlow } from './run-sub-flow.js';
import { lookUp, type NodeSurroundings } from './surroundings.js';
import type { Lookup } from './template.js';
import type { SubFlow, SubFlowResult } from './within.js';

/** The outcome of a node's run, for the scheduler. */
export interface Execution {
  runId: string;
  result: NodeResult;
  text: string;
}

/**
 * Runs a node once: fills its config, calls its kind, records it in the trace and updates the state. Resolves to
 * `undefined` when the run ended meanwhile. Never throws: a failure ends the run.
 */
export async function executeNode(
  flow: FlowRun,
  node: GraphNode,
  around: NodeSurroundings,
): Promise<Execution | undefined> {
  const context = new RunningNode(flow, node, around);
  try {
    const plan = planOf(node, flow.kinds, flow.input.nodeOverrides?.get(node.id));
    const breath = flow.breathe();
    if (breath) await breath;
    if (plan.needsHistory) await flow.scope.loadHistory();
    if (flow.isOver) return undefined;
    context.begin(plan);
    if (node.kind === 'start' && flow.input.bringsState) flow.stateBudget.requireFits();
    const result = await plan.kind.run(context);
    if (flow.isOver) return undefined;
    return context.finish(plan, result);
  } catch (error) {
    if (!flow.isOver) context.fail(error);
    return undefined;
  }
}

type Config = Record<string, Json>;

const REUSED =
  'An earlier attempt of the run had already carried out this step. Its stored result was reused.';

class RunningNode implements NodeContext<unknown> {
  readonly nodeId: string;
  readonly label: string;
  readonly run: RunInput;
  readonly input: Json | undefined;
  readonly answer: AnsweredQuestion | undefined;
  readonly isLeaf: boolean;
  readonly round: number;
  readonly signal: AbortSignal;
  readonly effects: NodeEffects;
  private readonly texts: NodeTexts;
  config: unknown;
  private record: NodeRun | undefined;

  constructor(
    private readonly flow: FlowRun,
    private readonly node: GraphNode,
    private readonly around: NodeSurroundings,
  ) {
    this.nodeId = node.id;
    this.label = node.label;
    this.run = flow.input;
    this.input = around.input;
    this.answer = around.answer;
    this.isLeaf = around.isLeaf;
    this.round = around.round;
    this.signal = flow.signal;
    const onReuse = () => this.warn({ code: 'effect_kept', message: REUSED });
    this.effects = new NodeEffects(flow.journal, around.path, onReuse, flow.options.within?.revision);
    const literals = literalsIn(flow.input.nodeOverrides?.get(node.id));
    this.texts = new NodeTexts(flow.scope, this.lookup, literals);
  }

  get state(): Record<string, Json> {
    return Object.assign(Object.create(null) as Record<string, Json>, this.flow.state);
  }

  begin(plan: NodePlan): void {
    this.config = plan.filler ? plan.filler(this.lookup) : plan.config;
    // Before any event is emitted, because the filled config contains them.
    if (plan.filler)
      this.secret(...(plan.kind.secretsIn?.(this.config as Config, plan.config as Config) ?? []));
    this.start(plan.kind.traceOf?.(this.config) ?? (this.config as Json));
    if (this.isLeaf) this.flow.answer.begin(this.nodeId);
  }

  finish(plan: NodePlan, result: NodeResult): Execution {
    const record = this.record!;
    this.flow.budget.countOutput(result.output);
    const text = resultText(result);
    if (result.tokens) this.flow.addUsage(this.nodeId, result.tokens);
    for (const [name, value] of Object.entries(result.state ?? {})) this.flow.setState(name, value);
    this.updateState(plan, { output: result.output, text: result.text });
    if (result.followUpPrompts) this.flow.followUpPrompts = result.followUpPrompts;
    if (this.isLeaf && result.json !== undefined) this.flow.json = result.json;
    this.flow.end(record, {
      status: result.approval ? 'waiting' : 'succeeded',
      output: result.output,
      ...(result.traceInput === undefined ? {} : { input: result.traceInput }),
      ...(result.tokens === undefined ? {} : { tokens: result.tokens }),
    });
    return { runId: record.runId, result, text };
  }

  fail(error: unknown): void {
    if (!this.record) {
      try {
        this.start(this.node.config);
      } catch {
        // Too many node runs, which `error` reports already.
      }
    }
    const errorCode = codeOf(error);
    if (this.record)
      this.flow.end(this.record, {
        status: 'failed',
        error: this.flow.messageOf(error),
        ...(errorCode === undefined ? {} : { errorCode }),
      });
    this.flow.fail(this.node, error);
  }

  readonly token = (text: string): void => {
    if (this.isLeaf && !this.flow.isOver) this.flow.answer.token(this.nodeId, text);
  };

  readonly thinking = (text: string): void => {
    this.flow.emit({ type: 'thinking', nodeId: this.nodeId, text });
  };

  readonly tools = (phase: 'called' | 'used', tools: StreamedCall[]): void => {
    this.flow.emit({ type: phase === 'called' ? 'called-tools' : 'used-tools', nodeId: this.nodeId, tools });
  };

  readonly sources = (documents: SourceDocument[]): void => {
    this.flow.emit({ type: 'source-documents', nodeId: this.nodeId, documents });
  };

  readonly progress = (progress: Json): void => {
    this.flow.emit({ type: 'progress', nodeId: this.nodeId, label: this.label, progress });
  };

  readonly warn = (...warnings: readonly Warning[]): void => {
    this.flow.warnings.add(...warnings);
  };

  readonly secret = (...secrets: readonly string[]): void => {
    this.flow.secrets.add(secrets);
  };

  readonly masked = (text: string): string => this.flow.secrets.text(text);

  readonly fill = (template: string, extra?: Record<string, Json>): Promise<string> =>
    this.texts.fill(template, extra);

  readonly value = (written: Json): Promise<Json> => this.texts.value(written);

  readonly filled = <Value>(value: Value, extra?: Lookup): Promise<Value> => this.texts.filled(value, extra);

  readonly call = <Result extends CallResult>(
    call: NodeCall,
    work: (runId: string) => Promise<Result>,
  ): Promise<Result> => runCall(this.flow, { nodeId: this.nodeId, runId: this.record!.runId }, call, work);

  readonly runChildren = (item: Json, index: number): Promise<BodyResult> => {
    return this.around.runBody(item, index, this.record!.runId);
  };

  readonly runFlow = async (name: string, sub: SubFlow, below?: string): Promise<SubFlowResult> => {
    const { nodeId, isLeaf, flow } = this;
    const path = `${this.around.path}/${name}`;
    const ownChat = flow.journal.idempotencyKey(flow.journal.place(`${path}:chat`));
    const runId = below ?? this.record!.runId;
    let live = false;
    const result = await this.effects.outside(name, { repeatable: true }, () => {
      live = true;
      return runSubFlow(flow, sub, { nodeId, isLeaf, runId, path, ownChat });
    });
    flow.takeState(result.state);
    this.warn(...result.warnings);
    const { tokens: _counted, ...uncounted } = result;
    return live ? uncounted : result;
  };

  private readonly lookup: Lookup = (root, path) => lookUp(root, path, this.around, this.flow.scope);

  private start(input: Json): void {
    const { parentRun } = this.around;
    const run: NodeRun = {
      runId: this.flow.options.newId(),
      nodeId: this.nodeId,
      label: this.label,
      kind: this.node.kind,
      status: 'running',
      startedAt: this.flow.options.now(),
      input,
      attempt: this.flow.nextAttempt(this.nodeId),
      ...(parentRun === undefined ? {} : { parent: parentRun }),
    };
    this.record = run;
    this.flow.begin(run);
  }

  private updateState(plan: NodePlan, own: { output: Json; text: string | undefined }): void {
    if (plan.updateState.length === 0) return;
    const bare = own.text ?? own.output;
    const lookup: Lookup = (root, path) =>
      root !== 'output'
        ? this.lookup(root, path)
        : path.length === 0
          ? bare
          : nodeValue({ output: own.output, text: '' }, ['output', ...path]);
    const values = plan.updateState.map(([name, filler]) => [name, filler(lookup)] as const);
    for (const [name, value] of values) this.flow.setState(name, value);
  }
}
