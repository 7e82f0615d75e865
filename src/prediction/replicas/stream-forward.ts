import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { EVENTS, type StreamKind, StreamWriter } from '../../common/http/stream-writer.js';
import { streamFromAdminTarget } from '../../common/outbound/admin-target.js';
import { Overloaded } from '../../common/service-error.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { ProcessAddresses } from './process-addresses.js';
import { ReplicaSignatures } from './replica-signatures.js';

/** A position in a stream: its token and the number of the last event seen. */
export interface StreamPlace {
  executionId: string;
  token: string;
  seen: number;
}

/** Longest wait for the owner, which only reads its memory. */
const PATIENCE_MS = 5_000;

/** Without heartbeats of its own: the owner's are forwarded. */
const FORWARDED: StreamKind = { headers: EVENTS.headers };

/** Returns the path at which a process serves a stream to another. */
export const internalStreamPath = (processId: string, { token, seen }: StreamPlace): string =>
  `/internal/processes/${encodeURIComponent(processId)}/streams/${token}/${seen}`;

/** Forwards the stream of a run in another process to a reader (contract section 13). */
@Injectable()
export class StreamForward {
  constructor(
    private readonly addresses: ProcessAddresses,
    private readonly signatures: ReplicaSignatures,
    private readonly presence: ProcessPresence,
  ) {}

  /**
   * Forwards a stream. Returns false if the living owner has no address or nothing left of the stream. Throws 503
   * `overloaded` if it cannot be reached: it may have died with its runs not ended yet, or its new name is not
   * announced yet. If the connection between the processes breaks, the reader's breaks too, and the reader returns.
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
