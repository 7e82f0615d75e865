import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { SourceDocument } from '../../api/documents.js';
import type { NodeContext } from '../../flows/engine/node-kind.js';
import { DocumentSearch, type FoundChunk, MOST_FOUND, MOST_QUERY } from '../search/document-search.js';

/** The settings of a search in a flow, shared by its node and its tool. */
export const retrievalSettings = {
  stores: z
    .array(z.string().min(1).max(256))
    .min(1, 'must name a document store')
    .max(20)
    .describe('Ids of the document stores to search. No templates.'),
  topK: z
    .int()
    .min(1)
    .max(MOST_FOUND)
    .optional()
    .describe('The most chunks of all stores together; 4 when absent.'),
};

interface RetrievalSettings {
  stores: string[];
  topK?: number | undefined;
}

const USUAL = 4;

/** Searches document stores for flows, under the signal of their run. */
@Injectable()
export class FlowRetrieval {
  constructor(private readonly search: DocumentSearch) {}

  /** Returns the nearest chunks, nearest first; none for a blank query. Rejects with a sentence for the flow's owner. */
  async find(
    { stores, topK = USUAL }: RetrievalSettings,
    query: string,
    { signal, warn }: Pick<NodeContext<unknown>, 'signal' | 'warn'>,
  ): Promise<FoundChunk[]> {
    const trimmed = query.trim();
    if (trimmed.length > MOST_QUERY)
      warn({
        code: 'query_cut',
        message: `The query has more than ${MOST_QUERY} characters. The search used the first ${MOST_QUERY}.`,
      });
    if (trimmed === '') return [];
    return this.search.search(stores, trimmed.slice(0, MOST_QUERY).toWellFormed(), topK, signal);
  }
}

/** Returns the found texts, an empty line between them. */
export const passagesOf = (found: readonly FoundChunk[]): string =>
  found.map(({ text }) => text).join('\n\n');

/** Returns `sourceDocuments` of the stream, in the form that Flowise's published clients read. */
export const sourcesOf = (found: readonly FoundChunk[]): SourceDocument[] =>
  found.map(({ text: pageContent, name: source, ...metadata }) => ({
    pageContent,
    metadata: { source, ...metadata },
  }));
