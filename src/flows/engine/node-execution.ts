import type { Warning } from '../../common/warnings.js';
import type { GraphNode } from './flow-graph.js';
import { codeOf, type FlowRun } from './flow-run.js';
import type { Json } from './json.js';
import { NodeEffects } from './node-effects.js';
import type { NodeContext, NodeResult, RunInput } from './node-kind.js';
import { type NodePlan, planOf } from './node-plan.js';
import type { NodeRun } from './run-event.js';
import { HISTORY_NAMES, type NodeOutput, nodeValue, resultText } from './run-scope.js';
import { fillTemplate, fillValue, type Lookup, parseTemplate, type Template } from './template.js';

/** What a node run needs from the part of the flow that it stands in. */
export interface NodeSurroundings {
  /** What came before on the way here. */
  input: Json | undefined;
  /** `runId` of the loop or iteration that this run belongs to. */
  parentRun: string | undefined;
  isLeaf: boolean;
  /** The node with its visit, from the outermost flow inwards: the same on each attempt of the run. */
  path: string;
  /** The latest output of another node, as far as this node can see. */
  outputOf(nodeId: string): NodeOutput | undefined;
  /** The item of the iteration that this node is in. */
  iteration: { item: Json } | undefined;
  runBody(item: Json, index: number, parentRun: string): Promise<NodeOutput>;
}

/** What one run of a node left, for the scheduler. */
export interface Execution {
  runId: string;
  result: NodeResult;
  text: string;
}

/**
 * Runs one node once: fills its config, calls its kind, records it in the trace, updates the state. Resolves to
 * `undefined` when the run ended meanwhile. Throws nothing: a failure ends the run.
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
    const result = await plan.kind.run(context);
    if (flow.isOver) return undefined;
    return context.finish(plan, result);
  } catch (error) {
    if (!flow.isOver) context.fail(error);
    return undefined;
  }
}

type Config = Record<string, Json>;

const KEPT =
  'What this node had done in an earlier attempt of the run was not done again: its kept result was taken.';

class RunningNode implements NodeContext<unknown> {
  readonly nodeId: string;
  readonly label: string;
  readonly run: RunInput;
  readonly input: Json | undefined;
  readonly isLeaf: boolean;
  readonly signal: AbortSignal;
  readonly effects: NodeEffects;
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
    this.isLeaf = around.isLeaf;
    this.signal = flow.signal;
    this.effects = new NodeEffects(flow.journal, around.path, () =>
      this.warn({ code: 'effect_kept', message: KEPT }),
    );
  }

  get state(): Record<string, Json> {
    return Object.assign(Object.create(null) as Record<string, Json>, this.flow.state);
  }

  begin(plan: NodePlan): void {
    this.config = plan.filler ? plan.filler(this.lookup) : plan.config;
    // Before anybody is told of it: the filled config itself holds them.
    if (plan.filler)
      this.secret(...(plan.kind.secretsIn?.(this.config as Config, plan.config as Config) ?? []));
    this.start(plan.kind.traceOf?.(this.config) ?? (this.config as Json));
    if (this.isLeaf) this.flow.answer.begin(this.nodeId);
  }

  finish(plan: NodePlan, result: NodeResult): Execution {
    const record = this.record!;
    const text = resultText(result);
    if (result.tokens) this.flow.addUsage(this.nodeId, result.tokens);
    for (const [name, value] of Object.entries(result.state ?? {})) this.flow.setState(name, value);
    this.updateState(plan, { output: result.output, text: result.text });
    if (result.followUpPrompts) this.flow.followUpPrompts = result.followUpPrompts;
    if (this.isLeaf && result.json !== undefined) this.flow.json = result.json;
    this.flow.end(record, {
      status: result.stop ? 'waiting' : 'succeeded',
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
        // Too many node runs: that is what `error` says already.
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

  readonly tools = (phase: 'called' | 'used', tools: Json): void => {
    this.flow.emit({ type: phase === 'called' ? 'called-tools' : 'used-tools', nodeId: this.nodeId, tools });
  };

  readonly sources = (documents: Json): void => {
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

  readonly fill = async (template: string, extra?: Record<string, Json>): Promise<string> => {
    const parsed = await this.ready(template);
    return fillTemplate(parsed, extra ? withExtra(extra, this.lookup) : this.lookup);
  };

  readonly value = async (template: string): Promise<Json> => {
    return fillValue(await this.ready(template), this.lookup);
  };

  readonly runChildren = (item: Json, index: number): Promise<NodeOutput> => {
    return this.around.runBody(item, index, this.record!.runId);
  };

  private readonly lookup: Lookup = (root, path) => {
    if (root === '$iteration') return iterationValue(this.around.iteration, path);
    const value = this.flow.scope.lookup(root, path);
    if (value !== undefined) return value;
    const output = this.around.outputOf(root);
    return output && nodeValue(output, path);
  };

  private async ready(template: string): Promise<Template> {
    const parsed = parseTemplate(template);
    const asksHistory = parsed.parts.some((part) => typeof part !== 'string' && HISTORY_NAMES.has(part.root));
    if (asksHistory) await this.flow.scope.loadHistory();
    return parsed;
  }

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

function iterationValue(iteration: { item: Json } | undefined, path: readonly string[]): Json | undefined {
  return iteration && nodeValue({ output: iteration.item, text: '' }, ['output', ...path]);
}

const withExtra =
  (extra: Record<string, Json>, lookup: Lookup): Lookup =>
  (root, path) =>
    Object.hasOwn(extra, root)
      ? nodeValue({ output: extra[root]!, text: '' }, ['output', ...path])
      : lookup(root, path);
