import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json } from '../engine/json.js';
import type { FinishReason } from './language-model.js';
import { MOST_ARGUMENTS, readToolCall, type ToolCall } from './tool-call.js';

interface Pieces {
  index: number | undefined;
  id: string;
  name: string;
  raw: string;
  /** Data that Google requires back with the call. */
  extra: Json | undefined;
}

const MOST_CALLS = 128;

/**
 * Assembles tool calls whose arguments arrive in pieces. A piece belongs to the call with its `index`, else with its id,
 * else to the last call. Ids distinguish the calls of servers that give every call the index 0.
 */
export class ToolCallPieces {
  private readonly calls: Pieces[] = [];

  get any(): boolean {
    return this.calls.length > 0;
  }

  /** Adds the `tool_calls` of a chunk. Returns false when there are too many. */
  add(pieces: readonly unknown[]): boolean {
    for (const piece of pieces) {
      if (!isJsonObject(piece)) continue;
      const call = this.callOf(piece);
      if (!call) return false;
      const called = isJsonObject(piece['function']) ? piece['function'] : {};
      if (typeof called['name'] === 'string' && call.name === '') call.name = called['name'].slice(0, 200);
      if (isJsonObject(piece['extra_content'])) call.extra = piece['extra_content'] as Json;
      const { arguments: given } = called;
      const raw = typeof given === 'string' ? given : isJsonObject(given) ? JSON.stringify(given) : '';
      // One character too many is stored, which tells the reader that there were more.
      if (call.raw.length <= MOST_ARGUMENTS) call.raw += raw.slice(0, MOST_ARGUMENTS + 1 - call.raw.length);
    }
    return true;
  }

  /** Returns the whole calls in the order in which they began. */
  complete(reason: FinishReason): { calls: ToolCall[]; extras: Record<string, Json> } {
    const extras: Record<string, Json> = {};
    const calls = this.calls.map(({ id, name, raw, extra }, place): ToolCall => {
      if (extra !== undefined) extras[id] = extra;
      if (reason === 'length' && raw === '' && place === this.calls.length - 1)
        return { id, name, malformed: { raw, fault: 'the answer was cut off before its arguments' } };
      return readToolCall(id, name, raw);
    });
    return { calls, extras };
  }

  private callOf({ index, id }: Record<string, unknown>): Pieces | undefined {
    const number = typeof index === 'number' ? index : undefined;
    const own = typeof id === 'string' && id !== '' ? id : undefined;
    const known =
      number === undefined
        ? this.calls.findLast((call) => own === undefined || call.id === own)
        : this.calls.findLast((call) => call.index === number);
    if (known && (own === undefined || own === known.id)) return known;
    if (this.calls.length >= MOST_CALLS) return undefined;
    const call = { index: number, id: own ?? freeId(), name: '', raw: '', extra: undefined };
    this.calls.push(call);
    return call;
  }
}

/** Returns nine letters and digits, which every provider accepts. */
const freeId = (): string => randomUUID().replaceAll('-', '').slice(0, 9);
