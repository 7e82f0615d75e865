import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import type { NodeKind } from '../engine/node-kind.js';

const config = z
  .object({
    original: z.string().min(1).max(500).describe('The name of the node in its original service.'),
    settings: jsonObject
      .optional()
      .describe('Its original settings. Texts that look like secrets are encrypted and never shown.'),
    branches: z
      .array(z.string().min(1).max(100))
      .max(1_000)
      .optional()
      .describe('The branches that its edges name in "on".'),
  })
  .describe(
    'A placeholder for an imported node that this service does not have; a run that reaches it fails.',
  );

/**
 * A placeholder (contract section 9): the flow around it works, and a run that reaches it fails with the node's name. Its
 * settings are neither filled nor shown in the trace.
 */
export const missingNode: NodeKind<z.infer<typeof config>> = {
  kind: 'missing',
  label: 'Missing',
  icon: 'crossed',
  config,
  streams: false,
  leafText: 'own',
  persists: () => ({ state: false }),
  rawTexts: ['original', 'settings', 'branches'],
  branches: ({ branches = [] }) => branches,
  placeholders: ({ original }) => [{ code: 'node_missing', original, path: '' }],
  traceOf: ({ original }) => ({ original }),
  async run({ label, config: { original } }) {
    throw new Error(
      `"${label}" is a placeholder for "${original}", which could not be imported. Replace it by a node of another kind.`,
    );
  },
};
