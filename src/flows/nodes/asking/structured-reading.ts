import { parseJson } from '../../../common/json/json-text.js';
import type { Json } from '../../engine/json.js';
import { nodeValues } from '../../engine/node-values.js';
import { formFault } from '../../schema/check-form.js';

type ReadAnswer = { json: Json } | { fault: string };

/** Parses a model's answer, also in a code fence, and checks it against the schema; returns the JSON or a fault. */
export async function readStructured(text: string, schema: Json): Promise<ReadAnswer> {
  const json = jsonIn(text);
  if (json === undefined) return { fault: 'it is not valid JSON' };
  const fault = await formFault(json, schema);
  return fault === undefined ? { json } : { fault };
}

/** Returns the JSON in a text, also with other text around it. */
export function jsonIn(text: string): Json | undefined {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  for (const candidate of [text, from >= 0 && to > from ? text.slice(from, to + 1) : undefined]) {
    if (candidate === undefined) continue;
    try {
      return parseJson(candidate, nodeValues.share) as Json;
    } catch {
      // The next reading may fit.
    }
  }
  return undefined;
}
