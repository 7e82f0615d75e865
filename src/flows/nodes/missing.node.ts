import { z } from 'zod';
import { jsonObject } from '../definition/flow-definition.js';
import type { NodeKind } from '../engine/node-kind.js';

const config = z
  .object({
    original: z.string().min(1).max(500).describe('What it was called where it comes from.'),
    settings: jsonObject
      .optional()
      .describe(
        'What it was told there, kept as it was. What looks like a secret is sealed and never shown.',
      ),
    branches: z
      .array(z.string().min(1).max(100))
      .max(1_000)
      .optional()
      .describe('Branches that its edges name in "on".'),
  })
  .describe('Stands where an import found a node that this service lacks; fails when a run gets there.');

/**
 * A placeholder (contract section 9): the flow around it is kept and runs, and a run that gets here fails with the
 * node's name. Its settings are not its input: they are neither filled in nor shown.
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
  traceOf: ({ original }) => ({ original }),
  async run({ label, config: { original } }) {
    throw new Error(
      `"${label}" stands for "${original}", which could not be carried over when the flow was imported. Put a node of another kind in its place.`,
    );
  },
};
