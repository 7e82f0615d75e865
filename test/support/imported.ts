import { atOnce } from '../../src/common/pausing.js';
import { checkDefinition } from '../../src/flows/definition/checks/check-definition.js';
import { importFlow } from '../../src/flows/import/import-flow.js';
import { SERVICE_KINDS as kinds } from '../fixtures/flows/service-kinds.js';

/** A node of an export, whose id begins with its name. */
export const nodeByItsId = (id: string, inputs: object = {}, more: object = {}) => ({
  id,
  data: { name: id.split('_')[0], inputs },
  ...more,
});

export const exportedStart = nodeByItsId('startAgentflow_0');
export const exportedReply = (number: number, more: object = {}) =>
  nodeByItsId(`directReplyAgentflow_${number}`, { directReplyMessage: 'x' }, more);

/** An edge of an export, from an output of a node. */
export const exportedEdge = (source: string, target: string, output = 'any') => ({
  source,
  target,
  sourceHandle: `${source}-output-${output}`,
});

interface Made {
  nodes: { id: string; kind: string; config: object; parentNode?: string }[];
  edges: { from: string; to: string; on?: string }[];
}

/** Returns the flow that an export is converted to, repaired until it passes the checks of definitions. */
export const imported = (nodes: object[], edges: object[] = [], more: object = {}) => {
  const answer = atOnce(importFlow({ nodes, edges, ...more }, kinds));
  if ('faults' in answer) throw new Error(JSON.stringify(answer.faults));
  expect(checkDefinition(answer.definition, kinds)).toHaveProperty('definition');
  return { ...(answer.definition as unknown as Made), warnings: answer.warnings };
};
