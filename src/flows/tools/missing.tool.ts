import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import { toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({
    tool: z.literal('missing'),
    ...toolSettings,
    original: z.string().min(1).max(500).describe('The name of the tool in its original service.'),
    settings: jsonObject
      .optional()
      .describe('Its original settings. Texts that look like secrets are encrypted and never shown.'),
  })
  .describe('A placeholder for a tool that could not be imported; it is never offered to a model.');

/** Returns whether the settings of a tool are those of a placeholder. */
export const isMissingTool = (tool: { tool: string }): tool is z.infer<typeof settings> =>
  tool.tool === 'missing';

export const missingTool: ToolType<z.infer<typeof settings>> = {
  tool: 'missing',
  settings,
  open: async () => ({ tools: [] }),
};
