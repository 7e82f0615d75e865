import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { holdBody } from './body-room.js';
import { storableText } from '../json/json-text.js';
import { InvalidRequest, ServiceError } from '../service-error.js';
import { tooLarge } from './body-checks.js';
import { JsonBuffer } from '../json/json-buffer.js';
import { jsonValuesOf, ValueBudget } from '../json/json-limits.js';

export interface FormLimits {
  /** Bytes of all fields together. */
  fieldBytes: number;
  /** Names of the fields that carry JSON text. */
  json?: ReadonlySet<string>;
}

const MOST_FIELDS = 200;

/**
 * The fields of a form while they arrive: there must be room for each of their bytes (`holdBody`), and the values of all
 * that are JSON count together.
 */
export class FormFields {
  private readonly found = new Map<string, Buffer[] | JsonBuffer>();
  private readonly budget: ValueBudget;
  private count = 0;
  private bytes = 0;

  constructor(
    private readonly request: Request,
    private readonly limits: FormLimits,
  ) {
    this.budget = new ValueBudget(jsonValuesOf(request));
  }

  /** Reads one field. Calls `refuse` with 413, 400 `json_too_deep` or 503 `overloaded` as soon as that is certain. */
  take(name: string | undefined, stream: Readable, refuse: (error: Error) => void): void {
    if (++this.count > MOST_FIELDS) return refuse(tooLarge(this.limits.fieldBytes));
    const parts = this.partsOf(name);
    stream.on('data', (chunk: Buffer) => {
      try {
        this.hold(chunk.length);
        parts.push(chunk);
      } catch (error) {
        refuse(error as Error);
      }
    });
  }

  /** All of them, the JSON ones parsed. Throws 400 `invalid_request` with the name of one that is no JSON. */
  async parse(): Promise<Map<string, unknown>> {
    const fields = new Map<string, unknown>();
    for (const [name, parts] of this.found)
      fields.set(name, parts instanceof JsonBuffer ? await parsed(name, parts) : textOf(parts));
    return fields;
  }

  private partsOf(name: string | undefined): Buffer[] | JsonBuffer {
    const parts = name !== undefined && this.limits.json?.has(name) ? new JsonBuffer(this.budget) : [];
    if (name !== undefined) this.found.set(storableText(name), parts);
    return parts;
  }

  private hold(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.limits.fieldBytes) throw tooLarge(this.limits.fieldBytes);
    holdBody(this.request, bytes);
  }
}

const textOf = (chunks: readonly Buffer[]): string => storableText(Buffer.concat(chunks).toString('utf8'));

async function parsed(name: string, json: JsonBuffer): Promise<unknown> {
  try {
    return await json.parse();
  } catch (error) {
    if (error instanceof ServiceError)
      throw new InvalidRequest([{ path: name, message: 'must be JSON text' }]);
    throw error;
  }
}
