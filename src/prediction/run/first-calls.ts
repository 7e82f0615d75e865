import { Injectable } from '@nestjs/common';
import { deserialize, serialize } from 'node:v8';
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

  /** Reads a call. The caller has reserved the memory for it. */
  async read(key: string): Promise<FirstCall> {
    return deserialize(await this.blobs.read(key)) as FirstCall;
  }
}

/** Returns the definition that a stored call of a draft carries; nothing for a version. */
export const draftOf = ({ version, definition }: Flow): { draft?: FlowContent } =>
  version === 'draft' ? { draft: contentOf(definition) } : {};
