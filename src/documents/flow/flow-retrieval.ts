import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import type { NodeContext } from '../../flows/engine/node-kind.js';
import { DocumentSearch, type FoundChunk, MOST_FOUND, MOST_QUERY } from '../search/document-search.js';

/** The settings by which nodes and tools name stores. */
export const retrievalSettings = {
  stores: z
    .array(z.string().min(1).max(256))
    .min(1, 'must name a document store')
    .max(20)
    .describe('Ids of the document stores that are searched. No templates.'),
  topK: z
    .int()
    .min(1)
    .max(MOST_FOUND)
    .optional()
    .describe('How many chunks at most, of all stores together; 4 when absent.'),
};

export interface RetrievalSettings {
  stores: string[];
  topK?: number | undefined;
}

const USUAL = 4;

/** The part of a node's context that a search needs. */
export type Retrieving = Pick<NodeContext<unknown>, 'signal' | 'warn'>;

/** Searches of flows: under the signal of their run. */
@Injectable()
export class FlowRetrieval {
  constructor(private readonly search: DocumentSearch) {}

  /** The nearest chunks, nearest first; none for a query of blanks. Rejects with a sentence for the flow's owner. */
  async find(
    { stores, topK = USUAL }: RetrievalSettings,
    query: string,
    { signal, warn }: Retrieving,
  ): Promise<FoundChunk[]> {
    const asked = query.trim();
    if (asked.length > MOST_QUERY)
      warn({
        code: 'query_cut',
        message: `The query has more than ${MOST_QUERY} characters; documents were looked for by the first ${MOST_QUERY}.`,
      });
    if (asked === '') return [];
    return this.search.search(stores, asked.slice(0, MOST_QUERY).toWellFormed(), topK, signal);
  }
}

/** The texts that were found, for a reader. */
export const passagesOf = (found: readonly FoundChunk[]): string =>
  found.map(({ text }) => text).join('\n\n');

/** `sourceDocuments` of the stream, in the shape of Flowise's published clients. */
export const sourcesOf = (found: readonly FoundChunk[]): Json =>
  found.map(({ text: pageContent, name: source, ...metadata }) => ({
    pageContent,
    metadata: { source, ...metadata },
  }));
