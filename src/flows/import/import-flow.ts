import type { Pausing } from '../../common/pausing.js';
import { faultsOf } from '../../common/plain-faults.js';
import type { Fault } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { crowdedNode, tooManyMarks } from '../engine/crowded-texts.js';
import type { NodeKinds } from '../engine/node-kind.js';
import { importBody } from './agentflow-export.js';
import { convertExport } from './convert-export.js';
import { type ImportedDependencies, NO_DEPENDENCIES } from './imported-node.js';
import { mend } from './mended-definition.js';

const START = 'startAgentflow';

/** A definition from an export, not yet checked against stored flows and credentials. */
export interface ImportedFlow {
  definition: Record<string, unknown>;
  /** The parts of the export that were not carried over. */
  warnings: Warning[];
  /** Returns faults of the definition with their places in the export. */
  locate: (faults: readonly Fault[]) => Fault[];
  /** Returns warnings of the definition with their places in the export, without those that `warnings` includes. */
  relocate: (warnings: readonly Warning[]) => Warning[];
}

/**
 * Reads the body of the import route and converts its export (contract section 9). Pure: stores and fetches nothing.
 * Returns at most 100 faults of a body that is not an export. Pauses, because an export may be large.
 */
export function* importFlow(
  body: unknown,
  kinds: NodeKinds,
  dependencies: ImportedDependencies = NO_DEPENDENCIES,
): Pausing<ImportedFlow | { faults: Fault[] }> {
  const parsed = importBody.safeParse(body);
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const { given, wishes } = parsed.data;
  if (!given.nodes.some(({ data }) => data.name === START))
    return {
      faults: [{ path: 'nodes', message: `must hold a "${START}": is this an AgentFlow V2 export?` }],
    };
  const crowded = crowdedNode(
    given.nodes.map(({ data }) => data.inputs),
    ['{{', '<', '&'],
  );
  if (crowded !== undefined) {
    const message = tooManyMarks('references, tags and characters written as &…;');
    return { faults: [{ path: `nodes.${crowded}.data.inputs`, message }] };
  }
  const draft = yield* convertExport(given, wishes, kinds, dependencies);
  yield* mend(draft, kinds);
  draft.warnOfTheWhole(dependencies.variableNames);
  return {
    definition: draft.definition(),
    warnings: draft.warnings.list(),
    locate: (faults) => faults.map((fault) => draft.located(fault)),
    relocate: (warnings) =>
      warnings.filter(({ code }) => code !== 'unknown_variable').map((warning) => draft.relocated(warning)),
  };
}
