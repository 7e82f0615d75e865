import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import type { NodeKind } from '../../flows/engine/node-kind.js';
import { pieces } from '../../flows/nodes/reply.node.js';
import type { FoundChunk } from '../search/document-search.js';
import { type FlowRetrieval, retrievalSettings, sourcesOf, passagesOf } from './flow-retrieval.js';

const config = z
  .object({
    ...retrievalSettings,
    query: z.string().describe('The query; a template such as "{{question}}".'),
    format: z
      .enum(['text', 'json'])
      .optional()
      .describe('Its text: the chunks, an empty line between them (text), or a JSON list of them.'),
  })
  .describe(
    'Searches document stores for the chunks nearest in meaning: {{id}} is their text, {{id.output.documents}} a list of them.',
  );

/**
 * The node kind `retriever` (contract section 9): finds the chunks of document stores that are nearest to a query. Its output
 * is `{ documents: [{ text, score, documentId, name, storeId }] }`. A missing store fails the node.
 */
export const retrieverNode = (retrieval: Pick<FlowRetrieval, 'find'>): NodeKind<z.infer<typeof config>> => ({
  kind: 'retriever',
  label: 'Retriever',
  icon: 'cylinder',
  config,
  streams: true,
  leafText: 'own',
  outputMembers: () => ['documents'],
  persists: () => ({ state: false }),
  rawTexts: ['stores'],
  async run(context) {
    const { config, effects, isLeaf, token } = context;
    const found = await effects.outside<FoundChunk[]>('retriever', { repeatable: true }, () =>
      retrieval.find(config, config.query, context),
    );
    context.sources(sourcesOf(found));
    const text = config.format === 'json' ? JSON.stringify(found) : passagesOf(found);
    if (isLeaf && text !== '') for (const piece of pieces(text)) token(piece);
    return { output: { documents: found as unknown as Json }, text };
  },
});
