import { between, type GraphEdge, type GraphNode, type GraphPart, reachable } from './flow-graph.js';
import type { FlowRun } from './flow-run.js';
import type { AnsweredQuestion, HumanAnswer } from './human-question.js';
import type { Json } from './json.js';
import { type Execution, executeNode } from './node-execution.js';
import type { BodyResult } from './node-kind.js';
import {
  leafTextOf,
  type Finished,
  lastOf,
  latestBefore,
  noProgress,
  type PartProgress,
  resultOf,
  type Waiting,
} from './progress.js';
import type { NodeOutput } from './run-scope.js';

interface LoopBack {
  target: GraphNode;
  body: Set<GraphNode>;
  runId: string;
}

/** The context of an iteration's body in the surrounding flow. */
interface Outer {
  outputOf(nodeId: string): NodeOutput | undefined;
  item: Json;
  index: number;
  parentRun: string;
  /** The path of the iteration's node with the item's index. */
  path: string;
}

/**
 * Schedules the nodes of a flow, or of one iteration's body. An edge is decided when the node before it ended (taken or
 * not) or can never run (not taken). A node runs once all edges into it are decided and one was taken; when none was, the
 * edges out of it are not taken either. Everything that can run runs at once.
 */
export class PartRun {
  private readonly active = new Set<GraphNode>();
  private readonly loopBacks: LoopBack[] = [];
  private readonly parentRuns = new Map<GraphNode, string>();
  private readonly outputs = new Map<string, NodeOutput>();
  private readonly visits = new Map<GraphNode, number>();
  private order = 0;
  private settle: ((last: Finished | undefined) => void) | undefined;

  constructor(
    private readonly flow: FlowRun,
    private readonly part: GraphPart,
    readonly progress: PartProgress,
    private readonly outer?: Outer,
  ) {
    for (const [node, finished] of progress.finished) {
      this.outputs.set(node.id, finished);
      this.order = Math.max(this.order, finished.order);
    }
  }

  /** Runs from the roots, or from a node whose question was answered. Resolves with the last node when nothing can run. */
  run(answered?: { waiting: Waiting; answer: HumanAnswer }): Promise<Finished | undefined> {
    return new Promise((resolve) => {
      this.settle = resolve;
      if (answered) {
        const { node, question } = answered.waiting;
        this.progress.waiting = this.progress.waiting.filter((waiting) => waiting !== answered.waiting);
        this.start(node, { ...answered.answer, memo: question.memo });
        this.closePastLeaves();
        return;
      }
      const unreachable = this.part.nodes.filter(
        (node) => node.incoming.length === 0 && !this.part.roots.includes(node),
      );
      for (const node of unreachable) this.skip(node);
      for (const node of this.part.roots) this.start(node);
      if (this.active.size === 0) resolve(undefined);
    });
  }

  /** Returns the latest output of a node in this part or around it. */
  readonly outputOf = (nodeId: string): NodeOutput | undefined =>
    this.outputs.get(nodeId) ?? this.outer?.outputOf(nodeId);

  private start(node: GraphNode, answer?: AnsweredQuestion): void {
    this.active.add(node);
    const path = this.pathOf(node);
    const parentRun = this.parentRuns.get(node) ?? this.outer?.parentRun;
    void executeNode(this.flow, node, {
      input: latestBefore(node, this.progress)?.output,
      parentRun,
      isLeaf: node.isLeaf,
      answer,
      path,
      outputOf: this.outputOf,
      iteration: this.outer,
      round: (this.progress.rounds.get(node) ?? 0) + 1,
      loopCount: this.progress.loopCount,
      runBody: (item, index, runId) =>
        this.runBody(node, { item, index, parentRun: runId, path: `${path}[${index}]` }),
    }).then((execution) => {
      if (execution) this.ended(node, execution);
    });
  }

  /** Returns the journal path of a visit. Visits are counted within this part, because iterations may overlap. */
  private pathOf(node: GraphNode): string {
    const before = this.visits.get(node) ?? (this.outer ? 0 : (this.flow.attempts.get(node.id) ?? 0));
    this.visits.set(node, before + 1);
    const own = `${encodeURIComponent(node.id)}#${before + 1}`;
    const outer = this.outer ?? this.flow.options.within;
    return outer ? `${outer.path}/${own}` : own;
  }

  private async runBody(node: GraphNode, around: Omit<Outer, 'outputOf'>): Promise<BodyResult> {
    if (!node.body) return { text: '', value: null };
    const outer: Outer = { ...around, outputOf: this.outputOf };
    const body = new PartRun(this.flow, node.body, noProgress(), outer);
    const last = await body.run();
    if (body.progress.waiting.length > 0)
      throw new Error('A flow cannot wait for a human inside an iteration.');
    return resultOf(node.body, body.progress, last);
  }

  private ended(node: GraphNode, execution: Execution): void {
    this.active.delete(node);
    try {
      this.settleNode(node, execution);
      this.goBack();
      if (this.flow.graph.hasLoop && !this.outer) this.closePastLeaves();
    } catch (error) {
      this.flow.fail(node, error);
      return;
    }
    if (this.active.size === 0) this.settle?.(lastOf(this.progress));
  }

  private settleNode(node: GraphNode, { result, text, runId }: Execution): void {
    const { output, approval, branches } = result;
    this.outputs.set(node.id, { output, text });
    if (approval) {
      this.progress.waiting.push({ node, question: approval, text });
      return;
    }
    const back = this.backTo(node, result.loopBackTo, branches);
    if (back) {
      this.progress.rounds.set(node, (this.progress.rounds.get(node) ?? 0) + 1);
      for (const inner of between(back, node)) if (inner !== node) this.progress.rounds.delete(inner);
      this.loopBacks.push({ target: back, body: this.bodyOf(node, back), runId });
      return;
    }
    const answer = leafTextOf(node, { output, text }, this.progress, this.flow.kinds);
    if (node.isLeaf) this.flow.answer.end(node.id, answer);
    this.progress.finished.set(node, { nodeId: node.id, output, text, answer, order: ++this.order });
    this.closeLeaf(node);
    for (const edge of node.outgoing) this.decide(edge, isTaken(edge, branches));
  }

  private decide(edge: GraphEdge, taken: boolean): void {
    const { edges } = this.progress;
    edges.set(edge, taken);
    const node = edge.to;
    if (node.incoming.some((incoming) => !edges.has(incoming))) return;
    if (node.incoming.some((incoming) => edges.get(incoming))) this.start(node);
    else this.skip(node);
  }

  private skip(node: GraphNode): void {
    this.closeLeaf(node);
    for (const edge of node.outgoing) this.decide(edge, false);
  }

  /** Closes the leaves that have ended or were passed over, once no loop can run them again. */
  private closePastLeaves(): void {
    const { graph } = this.flow;
    if (this.loopBacks.length > 0 || [...this.active].some((node) => graph.beforeLoops.has(node))) return;
    for (const leaf of graph.leaves) if (this.isPast(leaf)) this.flow.answer.close(leaf.id);
  }

  private isPast(node: GraphNode): boolean {
    const { finished, edges } = this.progress;
    const taken = node.incoming.map((edge) => edges.get(edge));
    if (this.active.has(node) || taken.includes(undefined)) return false;
    return finished.has(node) || taken.every((each) => each === false);
  }

  private closeLeaf(node: GraphNode): void {
    if (node.isLeaf && !this.flow.graph.hasLoop) this.flow.answer.close(node.id);
  }

  /** Returns the node to which a loop node goes back, by its result or by a back edge of a branch that it takes. */
  private backTo(node: GraphNode, wanted?: string, branches?: string[]): GraphNode | undefined {
    if (wanted === undefined) return node.back.find((edge) => branches && isTaken(edge, branches))?.to;
    const target = this.part.nodes.find(({ id }) => id === wanted);
    if (!target) throw new Error(`There is no node "${wanted}" to go back to.`);
    return target;
  }

  private bodyOf(loop: GraphNode, target: GraphNode): Set<GraphNode> {
    const body = reachable(target);
    if (!body.has(loop))
      throw new Error(`"${target.id}" does not come before this node: go back to one that does.`);
    return body;
  }

  /** Runs the body of a loop again once no node of its last round is running. */
  private goBack(): void {
    for (const loop of [...this.loopBacks]) {
      const { target, body, runId } = loop;
      if ([...body].some((node) => this.active.has(node))) continue;
      this.loopBacks.splice(this.loopBacks.indexOf(loop), 1);
      this.progress.loopCount++;
      for (const node of body) {
        this.parentRuns.set(node, runId);
        for (const edge of node.outgoing) this.progress.edges.delete(edge);
      }
      this.progress.waiting = this.progress.waiting.filter(({ node }) => !body.has(node));
      this.start(target);
    }
  }
}

/** Returns whether an edge is taken: one without a branch always, another if its branch is named. */
const isTaken = (edge: GraphEdge, branches: readonly string[] | undefined): boolean =>
  edge.on === undefined || (branches?.includes(edge.on) ?? false);
