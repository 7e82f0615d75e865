import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { JsonBuffer } from '../json/json-buffer.js';
import { jsonValuesOf, ValueBudget } from '../json/json-limits.js';
import { storableText } from '../json/json-text.js';
import { InvalidRequest, ServiceError } from '../service-error.js';
import { type Charset, charsetNamed, declaredCharset } from '../texts/charset.js';
import { TextBuffer } from '../texts/text-buffer.js';
import { InvalidEncoding } from '../texts/text-encoding.js';
import { holdBody } from './body-budget.js';
import { tooLarge, tooManyParts } from './body-checks.js';

export interface FormLimits {
  /** Bytes of all fields together. */
  fieldBytes: number;
  /** Names of the fields that carry JSON text. */
  json?: ReadonlySet<string>;
}

/** A part of a form that is not a file. */
export interface FieldPart {
  /** Its name; a part without a name is ignored. */
  field: string | undefined;
  /** Its own `Content-Type`, with the parameters. */
  contentType: string | undefined;
  stream: Readable;
}

type FieldText = TextBuffer | JsonBuffer;

const MOST_FIELDS = 200;

/** The field that names the charset of those without their own (RFC 7578, 4.6). */
const CHARSET_FIELD = '_charset_';
const LONGEST_CHARSET = 64;

/**
 * The fields of a form while they arrive. Each byte counts against the budget of bodies (`holdBody`), and the values of
 * all JSON fields count together. A field is decoded by its own charset, else by that of the form.
 */
export class FormFields {
  private readonly found = new Map<string, () => FieldText>();
  private readonly budget: ValueBudget;
  private readonly formCharset: Charset | undefined;
  private count = 0;
  private bytes = 0;

  /** Throws 415 for an unknown charset. */
  constructor(
    private readonly request: Request,
    private readonly limits: FormLimits,
  ) {
    this.budget = new ValueBudget(jsonValuesOf(request));
    this.formCharset = declaredCharset(request.headers['content-type']);
  }

  /**
   * Reads one field. Calls `refuse` with 413, 415, 400 `json_too_deep` or `invalid_encoding`, or 503 `overloaded`.
   */
  take({ field, contentType, stream }: FieldPart, refuse: (error: Error) => void): void {
    if (++this.count > MOST_FIELDS) return refuse(tooManyParts(MOST_FIELDS, 'fields'));
    if (field === undefined) return void stream.resume();
    const text = this.opening(storableText(field), contentType);
    stream.on('data', (chunk: Buffer) => {
      try {
        this.bytes += chunk.length;
        if (this.bytes > this.limits.fieldBytes) throw tooLarge(this.limits.fieldBytes);
        holdBody(this.request, text().push(chunk));
      } catch (error) {
        refuse(error as Error);
      }
    });
  }

  /** Returns all fields with the JSON ones parsed. Throws 400 with the name of one that is not JSON or not in its charset. */
  async parse(): Promise<Map<string, unknown>> {
    const fields = new Map<string, unknown>();
    for (const [name, text] of this.found) fields.set(name, await valueIn(name, text()));
    return fields;
  }

  /** Opens a field at its first byte: by then an earlier field `_charset_` has been read. */
  private opening(field: string, contentType: string | undefined): () => FieldText {
    let text: FieldText | undefined;
    const open = () => {
      const charset = declaredCharset(contentType) ?? this.charsetOfOthers(field);
      const options = { charset, field };
      return this.limits.json?.has(field) ? new JsonBuffer(this.budget, options) : new TextBuffer(options);
    };
    const opened = () => (text ??= open());
    this.found.set(field, opened);
    return opened;
  }

  private charsetOfOthers(field: string): Charset | undefined {
    const named = field === CHARSET_FIELD ? undefined : this.found.get(CHARSET_FIELD)?.();
    if (!(named instanceof TextBuffer)) return this.formCharset;
    return charsetNamed(named.bytes.toString('latin1', 0, Math.min(named.length, LONGEST_CHARSET)));
  }
}

async function valueIn(name: string, text: FieldText): Promise<unknown> {
  if (text instanceof JsonBuffer) return parsed(name, text);
  text.end();
  return storableText(text.take().toString('utf8'));
}

async function parsed(name: string, json: JsonBuffer): Promise<unknown> {
  try {
    return await json.parse();
  } catch (error) {
    if (error instanceof ServiceError && !(error instanceof InvalidEncoding))
      throw new InvalidRequest([{ path: name, message: 'must be JSON text' }]);
    throw error;
  }
}
