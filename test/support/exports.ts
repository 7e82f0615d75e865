import { atOnce } from '../../src/common/pausing.js';
import type { Fault } from '../../src/common/service-error.js';
import { importBody } from '../../src/flows/import/agentflow-export.js';
import { convertExport } from '../../src/flows/import/convert-export.js';

/** Treats every kind but one as built in; the names of exports are no kinds. */
const kinds = { has: (kind: string) => kind !== 'unheardOf' && !kind.endsWith('Agentflow') };

/** A node of an export. */
export const exportedNode = (id: string, name: string, inputs: object = {}, more: object = {}) => ({
  id,
  type: 'agentFlow',
  position: { x: 1, y: 2, z: 3 },
  data: { name, label: `Label of ${id}`, inputs },
  ...more,
});

/** Returns the draft that an export is converted to, before it is repaired. */
export const drafted = (nodes: object[], edges: object[] = [], more: object = {}) => {
  const { given, wishes } = importBody.parse({ nodes, edges, ...more });
  const draft = atOnce(convertExport(given, wishes, kinds));
  draft.warnOfTheWhole();
  return {
    definition: draft.definition(),
    warnings: draft.warnings.list(),
    locate: (faults: Fault[]) => faults.map((fault) => draft.located(fault)),
  };
};

/** Returns the config that a single node is converted to. */
export const configOf = (name: string, inputs: object) => {
  const { definition, warnings } = drafted([exportedNode('a_0', name, inputs)]);
  const [{ kind, config }] = definition['nodes'] as [{ kind: string; config: Record<string, unknown> }];
  return { kind, config, warnings: warnings.map(({ message }) => message) };
};

export const mention = (name: string) =>
  `<p><span class="variable" data-type="mention" data-id="${name}">{{ ${name} }}</span> </p>`;
