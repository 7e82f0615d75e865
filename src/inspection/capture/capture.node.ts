import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import type { NodeKind } from '../../flows/engine/node-kind.js';
import { FACT_MEMBERS } from '../facts/fact.js';
import {
  captureSettings,
  type CaptureSettings,
  picturesOf,
  readCaptureSettings,
  type RecordInRun,
  whyNotRecorded,
} from './flow-captures.js';

/**
 * The node kind `capture` (contract section 9): records the message's photographs, and the remark, area or facts that
 * the flow sets, in the chat's inspection. Its output is the capture's answer. Unusable items are listed in `rejected` and
 * never fail the run. A message with nothing to record changes nothing.
 */
export const captureNode = (record: RecordInRun): NodeKind<CaptureSettings> => ({
  kind: 'capture',
  label: 'Capture',
  icon: 'camera',
  config: z
    .object(captureSettings)
    .describe('Records photographs, an area, a remark or observations in the chat’s inspection.'),
  streams: false,
  leafText: 'json',
  persists: () => ({ state: false }),
  // Filled by the node: the engine preserves the type of a list only if the whole text is one reference.
  rawTexts: ['photographs', 'details', ...FACT_MEMBERS],
  filledLater: ['details'],
  async run(context) {
    const {
      texts,
      body,
      photographs = picturesOf(context.run),
    } = await readCaptureSettings(context.config, context).catch((error: unknown) => {
      throw new Error(whyNotRecorded(error), { cause: error });
    });
    const answer = await record(() => ({ ...body, photographs }), context, context.effects);
    context.warn(...answer.warnings);
    return {
      output: answer as unknown as Json,
      traceInput: {
        ...texts,
        ...(body.details ? { details: body.details.members as Json } : {}),
        photographs: photographs.length,
        ...(body.facts && { facts: body.facts.length }),
      },
    };
  },
});
