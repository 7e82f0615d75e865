import { flowFaults } from '../../flows/definition/checks/flow-references.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { isJsonObject } from '../../flows/engine/json.js';
import { isPlaceholderCode } from '../../flows/engine/node-kind.js';
import { type ForeignFlow, readForeignFlow } from '../../flows/import/rows/foreign-flow.js';
import { type FlowDependencies, variablesReadIn } from '../../flows/import/rows/row-settings.js';
import type { Move } from '../target/move-target.js';
import { BelongingsAccount } from './belongings-account.js';
import { type MovedFlow, movedFlow } from './moved-flow.js';

/** Limits of one transaction: flows, and characters of their graphs. */
const MOST_TOGETHER = 50;
const MOST_CHARACTERS = 2_000_000;

interface Waiting {
  flow: ForeignFlow;
  definition: FlowDefinition;
}

/** Moves the flows with their settings, under their ids. A flow that is here already is not changed. */
export async function moveFlows(move: Move, dependencies: FlowDependencies): Promise<void> {
  const flows = new FlowsUnderway(move, dependencies);
  const all = await move.source.count('chat_flow');
  let done = 0;
  for await (const row of move.source.rows('chat_flow')) {
    const flow = readForeignFlow(row);
    if (flow) await flows.take(flow);
    else move.report.left('flow', 'it has no id');
    move.progress.step('flows', ++done, all);
  }
  await flows.finish();
}

class FlowsUnderway {
  private readonly account: BelongingsAccount;
  private readonly runs: { name: string; flowIds: ReadonlySet<string> }[] = [];
  private waiting: Waiting[] = [];
  private characters = 0;

  constructor(
    private readonly move: Move,
    private readonly dependencies: FlowDependencies,
  ) {
    this.account = new BelongingsAccount(dependencies.variables, dependencies.tools, move.report);
  }

  async take(flow: ForeignFlow): Promise<void> {
    const { target, report, flowIds } = this.move;
    if (flowIds.has(flow.id)) {
      report.left('flow', `another flow there has its id ${flow.id}`, flow.name);
      return;
    }
    const changedAt = await target.flows.changedAt(flow.id);
    if (changedAt !== undefined) {
      flowIds.add(flow.id);
      reportHere(this.move, changedAt, flow);
      this.account.note(flow, 'here', variablesReadIn(flow.graph));
      return;
    }
    const moved = movedFlow(flow, target.kinds, this.dependencies, (why) =>
      report.left('setting', why, flow.name),
    );
    if ('why' in moved) {
      report.left('flow', moved.why, flow.name);
      return;
    }
    flowIds.add(flow.id);
    reportNodes(this.move, moved);
    this.account.note(flow, 'came', moved.reads);
    await this.noteRuns(moved.definition);
    this.waiting.push({ flow, definition: moved.definition });
    this.characters += flow.graph.length;
    if (this.waiting.length >= MOST_TOGETHER || this.characters >= MOST_CHARACTERS) await this.write();
  }

  async finish(): Promise<void> {
    await this.write();
    this.account.reportAll();
    for (const { name, flowIds } of this.runs) {
      const missing = [...flowIds].filter((id) => !this.move.flowIds.has(id));
      if (missing.length > 0)
        this.move.report.left(
          'setting',
          `it runs the flow ${missing.map((id) => id.slice(0, 64)).join(', ')}, which is not here`,
          name,
        );
    }
  }

  /** Writes the waiting flows. Their calls run together, so that they share a transaction. */
  private async write(): Promise<void> {
    const { target, report, dryRun } = this.move;
    const together = this.waiting;
    this.waiting = [];
    this.characters = 0;
    if (together.length === 0) return;
    const adopted = dryRun
      ? together.map(() => true)
      : await target.writes.after(() =>
          Promise.all(
            together.map(({ flow, definition }) => {
              const { createdAt = target.clock.now(), updatedAt = createdAt } = flow;
              return target.flows.adopt(flow.id, definition, { createdAt, updatedAt });
            }),
          ),
        );
    const came = adopted.filter(Boolean).length;
    report.came('flow', came);
    // The others were moved meanwhile by another process.
    report.here('flow', '', undefined, adopted.length - came);
  }

  /** Notes the flows that a flow runs, which are checked once all flows are moved. */
  private async noteRuns(definition: FlowDefinition): Promise<void> {
    const flowIds = new Set<string>();
    await flowFaults(definition, (id) => {
      flowIds.add(id);
      return Promise.resolve(true);
    });
    if (flowIds.size > 0) this.runs.push({ name: definition.name, flowIds });
  }
}

/** Warnings of an import that report a change, not a loss. */
const CHANGES = new Set(['state_kept', 'body_as_text', 'input_type_changed', 'code_of_elsewhere']);
/** Warnings that do not apply, because variables and credentials are moved too. */
const OTHERWISE = new Set(['variables_missing', 'credentials_missing']);

/** Reports the nodes of a moved flow. */
function reportNodes({ report }: Move, { definition, warnings }: MovedFlow): void {
  const { name } = definition;
  let placeholders = 0;
  for (const { code, message, count = 1 } of warnings) {
    const why = message.replace(/\.$/, '');
    if (isPlaceholderCode(code)) {
      placeholders += count;
      report.placeholder('node', why, name, count);
    } else if (CHANGES.has(code)) report.note(message, name);
    else if (!OTHERWISE.has(code)) report.left('setting', why, name, count);
  }
  report.came('node', Math.max(0, definition.nodes.length - placeholders));
  const without = definition.nodes.flatMap(({ id, config }) =>
    isJsonObject(config) && isJsonObject(config['model']) && config['model']['credentialId'] === undefined
      ? [id]
      : [],
  );
  if (without.length > 0)
    report.note(
      `its models have no credential of their own (model.credentialId): ${without.slice(0, 20).join(', ')}.`,
      name,
    );
}

/** Reports a flow that was here before, and whether it differs from the other side's. */
function reportHere(
  { report }: Move,
  changedAt: number,
  there: { name: string; updatedAt: number | undefined },
): void {
  const same = there.updatedAt === undefined || there.updatedAt === changedAt;
  if (same) report.here('flow');
  else report.here('flow', 'it was changed since, here or there; the one here was not changed', there.name);
}
