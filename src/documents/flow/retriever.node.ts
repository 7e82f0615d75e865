import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../../flows/engine/node-kind.js';
import { pieces } from '../../flows/nodes/reply.node.js';
import type { FoundChunk } from '../search/document-search.js';
import { FlowRetrieval, retrievalSettings, sourcesOf, passagesOf } from './flow-retrieval.js';

const config = z
  .object({
    ...retrievalSettings,
    query: z.string().describe('What is looked for; a template such as "{{question}}".'),
    format: z
      .enum(['text', 'json'])
      .optional()
      .describe('Its text: the chunks, an empty line between them (text), or a JSON list of them.'),
  })
  .describe(
    'Finds what documents say about something: {{id}} is their text, {{id.output.documents}} the chunks.',
  );

type RetrieverConfig = z.infer<typeof config>;

/**
 * The node kind `retriever` (contract section 9): finds the chunks of document stores that are nearest to a query. Output
 * `{ documents: [{ text, score, documentId, name, storeId }] }`. A store that is gone fails the node.
 */
@Injectable()
export class RetrieverNode implements NodeKind<RetrieverConfig>, OnModuleInit {
  readonly kind = 'retriever';
  readonly config = config;
  readonly streams = true;
  readonly leafText = 'own';
  readonly outputMembers = () => ['documents'];
  readonly keeps = () => ({ state: false });
  readonly rawTexts = ['stores'];

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly retrieval: FlowRetrieval,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<RetrieverConfig>): Promise<NodeResult> => {
    const { config, effects, isLeaf, token } = context;
    const found = await effects.outside<FoundChunk[]>('retriever', { repeatable: true }, () =>
      this.retrieval.find(config, config.query, context),
    );
    context.sources(sourcesOf(found));
    const text = config.format === 'json' ? JSON.stringify(found) : passagesOf(found);
    if (isLeaf && text !== '') for (const piece of pieces(text)) token(piece);
    return { output: { documents: found as unknown as Json }, text };
  };
}
