import { Injectable } from '@nestjs/common';
import { deserialize, serialize } from 'node:v8';
import { reserveToRead } from '../../common/bodies/body-budget.js';
import { contentOf, type FlowContent } from '../../flows/definition/flow-definition.js';
import type { Flow } from '../../flows/definition/flow.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { FirstCall, PredictionCall } from '../call/prediction-call.js';

/** First calls of runs that wait for a human, with their files, stored as blobs until the run has ended. */
@Injectable()
export class FirstCalls {
  constructor(private readonly blobs: BlobStore) {}

  /** Stores the call durably and returns its key. A run that waited before is stored already. */
  async put({ body, sessionId, resumes, flow }: PredictionCall): Promise<string> {
    if (resumes) return resumes.requestKey;
    const first: FirstCall = { body, sessionId, ...draftOf(flow) };
    return (await this.blobs.put('runs', serialize(first))).key;
  }

  /**
   * Reads a call once the memory budget allows it, and returns it with a function that releases the memory. Rejects
   * with the signal's reason.
   */
  async read(key: string, signal: AbortSignal): Promise<{ first: FirstCall; release: () => void }> {
    const release = await reserveToRead((await this.blobs.size(key)) ?? 0, signal);
    try {
      return { first: deserialize(await this.blobs.read(key)) as FirstCall, release };
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** Returns the definition that a stored call of a draft carries; nothing for a version. */
export const draftOf = ({ version, definition }: Flow): { draft?: FlowContent } =>
  version === 'draft' ? { draft: contentOf(definition) } : {};
