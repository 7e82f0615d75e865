import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import { textOf } from '../../flows/engine/template.js';
import { callOnce, oneTool, toolSettings, type ToolType } from '../../flows/tools/tool.js';
import { type FlowRetrieval, retrievalSettings, sourcesOf, passagesOf } from './flow-retrieval.js';

const settings = z
  .object({ tool: z.literal('retrieve'), ...toolSettings, ...retrievalSettings })
  .describe('Searches document stores for the chunks nearest in meaning, as the node retriever does.');

const PARAMETERS = {
  type: 'object',
  properties: { query: { type: 'string', description: 'The query, in words.' } },
  required: ['query'],
};

const ABOUT = 'Finds passages in the documents of this assistant. Use words that the passages may contain.';

const NOTHING = 'The documents say nothing about that.';

/** The tool `retrieve` (contract section 9): a model searches document stores with a query of its own. */
export const retrieveTool = (retrieval: Pick<FlowRetrieval, 'find'>): ToolType<z.infer<typeof settings>> => ({
  tool: 'retrieve',
  settings,
  open: ({ name = 'retrieve', description = ABOUT, ...written }, user) =>
    oneTool(
      {
        name,
        description,
        parameters: PARAMETERS,
        call: ({ query }, place) =>
          callOnce('retrieve', place, true, async () => {
            const found = await retrieval.find(written, textOf(query ?? ''), user);
            return {
              text: passagesOf(found) || NOTHING,
              output: { documents: found as unknown as Json },
              ...(found.length > 0 ? { sources: sourcesOf(found) } : {}),
            };
          }),
      },
      user,
    ),
});
