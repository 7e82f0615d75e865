import { z } from 'zod';
import { textOf } from '../engine/template.js';
import type { FunctionSandbox } from '../nodes/function/function-sandbox.js';
import { computed, functionSettings } from '../nodes/function/function.node.js';
import { callOnce, oneTool, parametersSetting, toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({
    tool: z.literal('function'),
    ...toolSettings,
    parameters: parametersSetting,
    ...functionSettings,
  })
  .describe(
    'Computes a value with JavaScript, like the node function: the code reads each argument as $name.',
  );

/** Runs JavaScript of the flow's author with the arguments of the call as its inputs. */
export const functionTool = (sandbox: FunctionSandbox): ToolType<z.infer<typeof settings>> => ({
  tool: 'function',
  settings,
  open: async ({ name = 'function', description, parameters, ...task }, user) =>
    oneTool(
      {
        name,
        ...(description === undefined ? {} : { description }),
        parameters: parameters ?? { type: 'object', properties: {} },
        call: (args, place) =>
          callOnce('function', place, true, async () => {
            const output = await computed(sandbox, task, args, user);
            return { output, text: textOf(output) };
          }),
      },
      user,
    ),
});
