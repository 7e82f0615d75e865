import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { EVENTS, type StreamKind, StreamWriter } from '../../common/http/stream-writer.js';
import { streamFromAdminTarget } from '../../common/outbound/admin-target.js';
import { Overloaded } from '../../common/service-error.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { ProcessAddresses } from './process-addresses.js';
import { ReplicaSignatures } from './replica-signatures.js';

/** A place in the stream of a run: the token of the stream, and the number of the event that was seen last. */
export interface StreamPlace {
  executionId: string;
  token: string;
  seen: number;
}

/** The owner has answered by then, or is taken for dead: it only looks into its memory. */
const PATIENCE_MS = 5_000;

/** The owner's heartbeats come with its events. */
const FORWARDED: StreamKind = { headers: EVENTS.headers };

/** The route by which a process hands the stream of a run to another. */
export const internalStreamPath = (processId: string, { token, seen }: StreamPlace): string =>
  `/internal/processes/${encodeURIComponent(processId)}/streams/${token}/${seen}`;

/** Hands a reader the stream of a run that goes on in another process (contract section 13). */
@Injectable()
export class StreamForward {
  constructor(
    private readonly addresses: ProcessAddresses,
    private readonly signatures: ReplicaSignatures,
    private readonly presence: ProcessPresence,
  ) {}

  /**
   * False where the owner, which lives, has no address or nothing left of the stream. Throws 503 `overloaded` where it
   * cannot be reached: it has died and its runs are not ended yet, perhaps with another process at its address, or its
   * name is new and not announced yet. A stream that breaks off between the processes breaks off for the reader too, which comes back.
   */
  async follow(owner: string, place: StreamPlace, response: Response): Promise<boolean> {
    const url = await this.addresses.find(owner);
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const stream = url ? await this.open(url, internalStreamPath(owner, place), leaving) : undefined;
    if (!stream) {
      if (url === undefined || (await this.presence.lifeOf(owner)) !== 'living') throw unreachable();
      return false;
    }
    response.setHeader('X-Execution-Id', place.executionId);
    const events = StreamWriter.begin(response, FORWARDED);
    if (events) await passOn(stream, events);
    leaving.abort();
    return true;
  }

  private async open(url: string, path: string, leaving: AbortController) {
    const headers = { 'x-replica-signature': this.signatures.sign({ method: 'GET', path, body: '' }) };
    const { signal } = leaving;
    try {
      return await streamFromAdminTarget(url + path, { headers, patienceMs: PATIENCE_MS, signal });
    } catch (error) {
      throw unreachable(error);
    }
  }
}

const unreachable = (cause?: unknown): Overloaded =>
  new Overloaded('The process that runs it cannot be reached. Come back in a moment.', 1, cause);

async function passOn(stream: AsyncIterable<Buffer>, events: StreamWriter): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of stream) {
      events.write(decoder.decode(piece, { stream: true }));
      await events.taken();
      if (events.isOver) return;
    }
    events.end();
  } catch {
    events.cutOff();
  }
}
