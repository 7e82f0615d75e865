import { z } from 'zod';
import type { Json } from '../../../flows/engine/json.js';
import type { NodeKind } from '../../../flows/engine/node-kind.js';
import { correctSettings, type CorrectSettings } from './correct-settings.js';
import type { CorrectInRun } from './flow-corrections.js';

const SAYS = [
  'area',
  'areaType',
  'withdrawn',
  'turn',
  'caption',
  'text',
  'fact',
  'undo',
  'list',
  'rename',
] as const;

const config = z
  .object(correctSettings)
  .refine((settings) => SAYS.some((name) => settings[name] !== undefined && settings[name] !== null), {
    message: `must say what is corrected: one of ${SAYS.join(', ')}`,
  })
  .describe('Corrects the description of photographs, remarks and facts of the chat’s inspection.');

/**
 * The node kind `correct` (contract section 9): corrects a photograph, remark or fact of the chat's inspection, undoes
 * the newest correction, or renames an area. Its output is the corrected record; if there is nothing to correct, the
 * output has a `code` and a `message`, and the run continues.
 */
export const correctNode = (correct: CorrectInRun): NodeKind<CorrectSettings> => ({
  kind: 'correct',
  label: 'Correct',
  icon: 'pencil',
  config,
  streams: false,
  leafText: 'json',
  persists: () => ({ state: false }),
  run: async (context) => ({
    output: (await correct(context.config, context, context.effects)) as unknown as Json,
  }),
});
