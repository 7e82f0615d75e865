import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ImportedFlows } from '../../../api/flows.js';
import { Clock } from '../../../common/clock.js';
import { inTurns } from '../../../common/pausing.js';
import { type Fault, ServiceError } from '../../../common/service-error.js';
import { foldWarnings, type Warning } from '../../../common/warnings.js';
import type { FlowDefinition } from '../../definition/flow-definition.js';
import { NodeKindRegistry } from '../../definition/node-kind-registry.js';
import { isPlaceholderCode } from '../../engine/node-kind.js';
import { flowAnswer } from '../../store/flow-answer.js';
import { FlowDrafts } from '../../store/flow-drafts.js';
import { FlowStore } from '../../store/flow-store.js';
import { FlowWrites } from '../../store/flow-writes.js';
import { API_KEY_PATH, invalidFlow, SaveChecks } from '../../store/save-checks.js';
import { DocumentStoreIds, type StoresHere } from '../../tools/document-store-ids.js';
import { type ImportedFlow, importFlow } from '../import-flow.js';
import { NO_DEPENDENCIES } from '../imported-node.js';
import { FileBelongings } from './file-belongings.js';
import { type GivenRow, type ImportRequest, readImportRequest } from './import-request.js';
import { leftOut } from './left-out.js';
import { replacedDefinition } from './replaced-definition.js';
import { readRowFlow, type RowFlow, rowDefinition } from './row-flow.js';

/** A flow that has been checked and can be stored. */
interface Ready {
  definition: FlowDefinition & { id: string };
  warnings: Warning[];
}

/** The id that a flow of the request wants, with its place and name. */
interface Wanted {
  id: string | undefined;
  path: string;
  name: string;
}

/** Converts the body of the import route and stores all of its flows or none (contract section 9). */
@Injectable()
export class FlowImports {
  constructor(
    private readonly store: FlowStore,
    private readonly writes: FlowWrites,
    private readonly drafts: FlowDrafts,
    private readonly kinds: NodeKindRegistry,
    private readonly documentStores: DocumentStoreIds,
    private readonly checks: SaveChecks,
    private readonly clock: Clock,
  ) {}

  /** Returns a flow with its warnings, or `{ flows, warnings? }` for an "export all" file. `mostValues` limits each graph. */
  async import(body: unknown, mostValues: number): Promise<ImportedFlows> {
    const request = readImportRequest(body);
    if ('faults' in request) throw invalidFlow(request.faults);
    const stores = await this.documentStores.all();
    const run = new ImportRun(request, stores, mostValues);
    if (request.shape === 'export') {
      const { id, name } = request.wishes;
      await this.place(run, [{ id, path: 'id', name: name ?? id ?? '' }]);
      run.add(await this.readyExport(run, request.body));
    } else {
      const given = request.shape === 'row' ? [request.given] : request.given;
      const rows = given.map((each) => ({ ...each, flow: readRowFlow(each.row, request.wishes) }));
      await this.place(
        run,
        rows.map(({ path, flow }) => ({ id: flow.id, path: `${path}id`, name: flow.name })),
      );
      for (const [index, each] of rows.entries()) run.add(await this.readyRow(run, each, index));
    }
    if (run.faults.length > 0) throw invalidFlow(run.faults.slice(0, MOST_FAULTS));
    return this.stored(run);
  }

  /** Decides under which id each flow is stored. Throws 409 when an id is taken and `onConflict` is absent. */
  private async place(run: ImportRun, wanted: readonly Wanted[]): Promise<void> {
    const { onConflict } = run.request.wishes;
    const named = wanted.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const taken = await this.store.taken(named.filter((id) => FlowStore.isFlowId(id)));
    const seen = new Set<string>();
    const conflicts: Wanted[] = [];
    for (const each of wanted) {
      const { id = randomUUID(), path } = each;
      const isTwice = seen.has(id);
      seen.add(id);
      if (isTwice && onConflict !== 'copy')
        run.faults.push({ path, message: `is the id of another flow of the file: "${id.slice(0, 64)}"` });
      if (taken.has(id) && onConflict === undefined) conflicts.push(each);
      const isCopy = onConflict === 'copy' && (taken.has(id) || isTwice);
      run.ids.push(isCopy ? randomUUID() : id);
      if (isCopy && !isTwice) run.copies.set(id, run.ids.at(-1)!);
    }
    if (conflicts.length > 0) throw existing(conflicts);
    if (onConflict === 'replace') run.replaced = taken;
  }

  private async readyExport(run: ImportRun, body: unknown): Promise<Ready | undefined> {
    const dependencies = { ...NO_DEPENDENCIES, stores: run.stores };
    const imported = await inTurns(importFlow(body, this.kinds.all, dependencies), this.clock);
    if ('faults' in imported) return run.refuse(imported.faults);
    return this.ready(run, imported, imported.definition, { id: run.ids[0]!, locate: imported.locate });
  }

  private async readyRow(
    run: ImportRun,
    { path, row, flow }: GivenRow & { flow: RowFlow },
    index: number,
  ): Promise<Ready | undefined> {
    const located = (faults: readonly Fault[]) => faults.map((fault) => inRow(fault, path));
    const graph = await flow.graph(run.mostValues);
    if ('fault' in graph) return run.refuse([{ path: `${path}flowData`, message: graph.fault }]);
    if (run.request.shape === 'file' && graph.isEmpty) {
      run.warnings.push({
        code: 'not_imported',
        message: `The flow "${flow.name}" was not imported: it has no nodes.`,
        path: path.replace(/\.(\d+)\.$/, '[$1]'),
      });
      return undefined;
    }
    const { models } = run.request.wishes;
    const id = run.ids[index]!;
    const body = { id, name: flow.name, export: graph.value, ...(models ? { models } : {}) };
    const dependencies = run.belongings.dependencies(run.stores);
    const imported = await inTurns(importFlow(body, this.kinds.all, dependencies), this.clock);
    if ('faults' in imported) return run.refuse(located(imported.faults));
    const { definition, lost } = rowDefinition({ row, flow, graph: graph.value }, imported, run.belongings, {
      isReplaced: run.replaced.has(id),
      dependencies,
    });
    return this.ready(run, imported, definition, {
      id,
      locate: (faults) => located(imported.locate(faults)),
      lost,
    });
  }

  /** Checks a converted flow as a save does. Returns undefined and records the faults when it cannot be saved. */
  private async ready(
    run: ImportRun,
    imported: ImportedFlow,
    made: Record<string, unknown>,
    at: { id: string; locate: (faults: readonly Fault[]) => Fault[]; lost?: readonly Warning[] },
  ): Promise<Ready | undefined> {
    const { id, locate, lost = [] } = at;
    const before = run.replaced.has(id) ? (await this.store.get(id))?.flow.definition : undefined;
    const written = { ...withFlowIds(made, run.copies), id };
    const whole = before ? replacedDefinition(written, before) : written;
    const outcome = await this.checks.outcomeOf(whole, new Set(run.ids));
    if ('faults' in outcome) return run.refuse(locate(outcome.faults));
    const missing = imported.locate(outcome.missing).map(missingWarning);
    // The import itself names each placeholder, with the reason.
    const further = outcome.warnings.filter(({ code }) => !isPlaceholderCode(code));
    return {
      definition: { ...outcome.definition, id },
      warnings: foldWarnings(imported.warnings, lost, missing, imported.relocate(further)),
    };
  }

  private async stored(run: ImportRun): Promise<ImportedFlows> {
    const { ready, request } = run;
    const taken = await this.writes.saveAll(
      ready.map(({ definition }) => definition),
      run.replaced,
    );
    if (taken.size > 0) throw existing([...taken].map((id) => ({ id, path: 'id', name: id })));
    if (request.shape !== 'file') {
      const [{ definition, warnings }] = ready as [Ready];
      const { id } = definition;
      const hasDraft = (await this.drafts.among([id])).has(id);
      return { ...flowAnswer((await this.store.get(id))!, hasDraft), warnings };
    }
    const warnings = foldWarnings(run.warnings, leftOut(request.tables, run.belongings.useOf(run.stores)));
    return {
      flows: ready.map(({ definition: { id, name }, warnings }) => ({ id, name, warnings })),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  }
}

const MOST_FAULTS = 100;

/** The state of one import. */
class ImportRun {
  readonly ready: Ready[] = [];
  readonly faults: Fault[] = [];
  /** Losses of the file that belong to none of its flows. */
  readonly warnings: Warning[] = [];
  /** The ids under which the flows are stored, in the order of the request. */
  readonly ids: string[] = [];
  /** Id in the request → id of the copy. */
  readonly copies = new Map<string, string>();
  replaced: ReadonlySet<string> = new Set();
  readonly belongings: FileBelongings;

  constructor(
    readonly request: ImportRequest,
    readonly stores: StoresHere,
    readonly mostValues: number,
  ) {
    this.belongings = new FileBelongings(request.shape === 'file' ? request.tables : {});
  }

  add(ready: Ready | undefined): void {
    if (ready) this.ready.push(ready);
  }

  refuse(faults: readonly Fault[]): undefined {
    this.faults.push(...faults);
    return undefined;
  }
}

/** Returns a fault with its path in the row; those of a graph are in the text `flowData`. */
function inRow({ path, message }: Fault, base: string): Fault {
  const inside = path.replace(/^export\./, '');
  return {
    path: /^(?:nodes|edges)\b/.test(inside) ? `${base}flowData.${inside}` : `${base}${inside}`,
    message,
  };
}

const missingWarning = ({ path, message }: Fault): Warning =>
  path === API_KEY_PATH
    ? {
        code: 'api_key_missing',
        message: `The flow needs an API key that does not exist (${message}). Nobody can call it until access.apiKeyId is another key or null.`,
        path,
      }
    : { code: 'flow_missing', path, message };

/** Makes flows that are copied together run the copies of each other. */
function withFlowIds(
  definition: Record<string, unknown>,
  copies: ReadonlyMap<string, string>,
): Record<string, unknown> {
  if (copies.size === 0) return definition;
  const nodes = (definition['nodes'] as FlowDefinition['nodes']).map((node) => {
    const { flowId } = node.config ?? {};
    const copy = node.kind === 'execute-flow' && typeof flowId === 'string' ? copies.get(flowId) : undefined;
    return copy === undefined ? node : { ...node, config: { ...node.config, flowId: copy } };
  });
  return { ...definition, nodes };
}

const MOST_NAMED = 20;

function existing(conflicts: readonly Wanted[]): ServiceError {
  const named = conflicts
    .slice(0, MOST_NAMED)
    .map(({ id = '', name }) => (name === '' || name === id ? id : `"${name}" (${id})`))
    .join(', ');
  const more = conflicts.length > MOST_NAMED ? ` and ${conflicts.length - MOST_NAMED} more` : '';
  const which = conflicts.length === 1 ? 'There is a flow with this id' : 'There are flows with these ids';
  return new ServiceError(
    'flow_exists',
    `${which} already: ${named}${more}. Nothing was imported. Send onConflict "replace" or "copy", or choose another id.`,
    { errors: conflicts.map(({ id = '', path }) => ({ path, message: `there is a flow "${id}" already` })) },
  );
}
