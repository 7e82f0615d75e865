import { isJsonObject, type Json } from '../../engine/json.js';
import type { StoresHere } from '../../tools/document-store-ids.js';
import { type ImportedDependencies, type KnownTool, NO_DEPENDENCIES } from '../imported-node.js';
import { type Members, wordIn } from '../rows/members.js';
import { type ForeignVariable, type ForeignVariables, type VariableUse } from '../rows/row-settings.js';
import { readTool } from '../rows/tool-row.js';
import { rowsIn } from './import-request.js';
import type { FileUse } from './left-out.js';

/** The variables and custom tools of an "export all" file. */
export class FileBelongings {
  private readonly tools = new NotedTools();
  private readonly values = new Map<string, ForeignVariable>();
  private readonly filled = new Set<string>();

  constructor(tables: Members) {
    for (const row of objectsIn(rowsIn(tables, 'Tool'))) {
      const read = readTool(row);
      if (read) this.tools.set(...read);
    }
    for (const row of objectsIn(rowsIn(tables, 'Variable'))) {
      const [name, value] = [wordIn(row, 'name'), wordIn(row, 'value')];
      // The dashboard removes values before the export; a runtime variable has its value in the environment there.
      if (name !== undefined && value !== undefined && row['type'] !== 'runtime')
        this.values.set(name, { name, value, runtime: false });
    }
  }

  dependencies(stores: StoresHere): ImportedDependencies {
    return { ...NO_DEPENDENCIES, tools: this.tools, stores, variableNames: this.values };
  }

  /** The variables by workspace; a file has one, without a name. */
  get variables(): ForeignVariables {
    return new Map([['', this.values]]);
  }

  note({ reads }: VariableUse): void {
    for (const name of this.values.keys()) if (reads(name)) this.filled.add(name);
  }

  useOf(stores: StoresHere): FileUse {
    return {
      usesTool: (id) => this.tools.used.has(id),
      fillsVariable: (name) => this.filled.has(name),
      stores,
    };
  }
}

/** Records the tools that flows use. */
class NotedTools extends Map<string, KnownTool> {
  readonly used = new Set<string>();

  override get(id: string): KnownTool | undefined {
    if (this.has(id)) this.used.add(id);
    return super.get(id);
  }
}

const objectsIn = (rows: readonly Json[]): Members[] => rows.filter(isJsonObject);
