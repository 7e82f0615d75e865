import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import { textOf } from '../../flows/engine/template.js';
import { ToolTypes } from '../../flows/tools/tool-types.js';
import {
  callOnce,
  type OpenTool,
  toolSettings,
  type ToolType,
  type ToolUser,
} from '../../flows/tools/tool.js';
import { FlowRetrieval, retrievalSettings, sourcesOf, passagesOf } from './flow-retrieval.js';

const settings = z
  .object({ tool: z.literal('retrieve'), ...toolSettings, ...retrievalSettings })
  .describe('Finds what documents say about something, as the node retriever does.');

type RetrieveSettings = z.infer<typeof settings>;

const PARAMETERS = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What is looked for, in words.' } },
  required: ['query'],
};

const ABOUT =
  'Finds passages of the documents that this assistant knows. Ask with the words that they may contain.';

const NOTHING = 'The documents say nothing about that.';

/** The tool `retrieve` (contract section 9): a model looks something up in document stores, in words of its own. */
@Injectable()
export class RetrieveTool implements ToolType<RetrieveSettings>, OnModuleInit {
  readonly tool = 'retrieve';
  readonly settings = settings;

  constructor(
    private readonly types: ToolTypes,
    private readonly retrieval: FlowRetrieval,
  ) {}

  onModuleInit(): void {
    this.types.register(this);
  }

  async open(written: RetrieveSettings, user: ToolUser): Promise<OpenTool> {
    const { name = 'retrieve', description = ABOUT } = written;
    return {
      tools: [
        {
          name,
          description: await user.filled(description),
          parameters: PARAMETERS,
          call: ({ query }, place) =>
            callOnce('retrieve', place, true, async () => {
              const found = await this.retrieval.find(written, textOf(query ?? ''), user);
              return {
                text: passagesOf(found) || NOTHING,
                output: { documents: found as unknown as Json },
                ...(found.length > 0 ? { sources: sourcesOf(found) } : {}),
              };
            }),
        },
      ],
    };
  }
}
