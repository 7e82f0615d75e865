import { z } from 'zod';
import { jsonObject } from '../definition/flow-definition.js';
import { toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({
    tool: z.literal('missing'),
    ...toolSettings,
    original: z.string().min(1).max(500).describe('What it was called where it comes from.'),
    settings: jsonObject
      .optional()
      .describe('What it was told there. What looks like a secret is sealed and never shown.'),
  })
  .describe('Stands for a tool that an import could not carry over: kept, never offered to a model.');

export const missingTool: ToolType<z.infer<typeof settings>> = {
  tool: 'missing',
  settings,
  open: async () => ({ tools: [] }),
};
