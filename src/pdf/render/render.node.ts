import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import type { NodeKind } from '../../flows/engine/node-kind.js';
import { type RendersInRun, renderSettings, type RenderSettings } from './flow-renders.js';

/**
 * The node kind `render` (contract section 9): renders the chat's inspection inside the flow's run and under its
 * record. Its output is the render's answer. The run's flow decides which photographs it may use.
 */
export const renderNode = (renders: RendersInRun): NodeKind<RenderSettings> => ({
  kind: 'render',
  label: 'Render',
  icon: 'page',
  config: z.object(renderSettings).describe('Renders the report of the chat’s inspection.'),
  streams: false,
  leafText: 'json',
  persists: () => ({ state: false }),
  // Filled by the node, because recipients that the flow's author wrote are trusted and those of a caller are not.
  rawTexts: ['email'],
  filledLater: ['email'],
  async run(context) {
    const order = await renders.readOrder(context.config, context, context.fill);
    const answer = await renders.render(order, context, context.effects);
    if ('warnings' in answer) context.warn(...answer.warnings);
    return { output: answer as unknown as Json };
  },
});
