import type { KnownTool } from '../../flows/import/imported-node.js';
import type { ForeignFlow } from '../../flows/import/rows/foreign-flow.js';
import type { ForeignVariable, ForeignVariables, VariableUse } from '../../flows/import/rows/row-settings.js';
import type { MoveReport } from '../report/move-report.js';

type Use = 'came' | 'here';

/**
 * Counts which variables and tools of the installation were moved. Here they are parts of the flows that use them, so those
 * that no flow uses are not moved.
 */
export class BelongingsAccount {
  private readonly variableUse = new Map<ForeignVariable, Use>();
  private readonly toolUse = new Map<string, Use>();

  constructor(
    private readonly variables: ForeignVariables,
    private readonly tools: ReadonlyMap<string, KnownTool>,
    private readonly report: MoveReport,
  ) {}

  /** Notes the variables and tools that a flow uses; the flow was moved, or was here before. */
  note({ graph, workspaceId, name }: ForeignFlow, use: Use, { names, reads }: VariableUse): void {
    const own = this.variables.get(workspaceId);
    for (const variable of own?.values() ?? []) {
      if (!reads(variable.name)) continue;
      if (variable.runtime && use === 'came')
        this.report.left(
          'setting',
          `the variable ${variable.name} took its value from the environment of the other service; set it in vars`,
          name,
        );
      else if (this.variableUse.get(variable) !== 'came') this.variableUse.set(variable, use);
    }
    if (use === 'came') this.reportUnknown(name, names, own);
    for (const id of this.tools.keys())
      if (graph.includes(id) && this.toolUse.get(id) !== 'came') this.toolUse.set(id, use);
  }

  /** Reports the counts. Called once all flows are noted. */
  reportAll(): void {
    for (const own of this.variables.values())
      for (const variable of own.values()) this.reportVariable(variable);
    for (const [id, { name }] of this.tools) {
      const use = this.toolUse.get(id);
      if (use) this.report[use]('tool');
      else
        this.report.left(
          'tool',
          'no flow here calls it; a tool here is a part of the flows that call it',
          name,
        );
    }
  }

  private reportVariable(variable: ForeignVariable): void {
    const { name, runtime } = variable;
    const use = this.variableUse.get(variable);
    if (runtime)
      this.report.left(
        'variable',
        'its value was in the environment of the other service, not in its database',
        name,
      );
    else if (use) this.report[use]('variable');
    else
      this.report.left(
        'variable',
        'no flow here reads it; a variable here is a part of the flows that read it',
        name,
      );
  }

  private reportUnknown(
    flow: string,
    names: ReadonlySet<string>,
    own: ReadonlyMap<string, ForeignVariable> | undefined,
  ): void {
    const unknown = [...names].filter((name) => !own?.has(name) && !own?.has(name.split('-')[0]!));
    if (unknown.length > 0)
      this.report.note(
        `it reads variables that the other side does not have: ${unknown.slice(0, 20).join(', ')}.`,
        flow,
      );
  }
}
