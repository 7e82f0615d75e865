import { parseJson } from '../../common/json/json-text.js';
import { ServiceError } from '../../common/service-error.js';
import type { Json } from '../engine/json.js';

/** The description of a tool for a model. */
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON Schema of an object: the arguments. */
  parameters: Json;
}

/** A call whose arguments are an object; the tool checks them against its parameters. */
type CompleteToolCall = { id: string; name: string; arguments: Record<string, Json> };

/** A call that cannot be carried out; the fault becomes the call's result. */
type MalformedToolCall = { id: string; name: string; malformed: { raw: string; fault: string } };

export type ToolCall = CompleteToolCall | MalformedToolCall;

export const isMalformed = (call: ToolCall): call is MalformedToolCall => 'malformed' in call;

/** Characters of malformed arguments that are shown to the model and the flow's owner. */
const MOST_RAW = 2_000;
/** Characters of arguments. */
export const MOST_ARGUMENTS = 1024 * 1024;

/** Parses the call of a model. Empty arguments become `{}`. Never throws. */
export function readToolCall(id: string, name: string, raw: string): ToolCall {
  const malformed = (fault: string): MalformedToolCall => ({
    id,
    name,
    malformed: { raw: raw.slice(0, MOST_RAW), fault },
  });
  if (name === '') return malformed('it names no tool');
  if (raw.trim() === '') return { id, name, arguments: {} };
  if (raw.length > MOST_ARGUMENTS)
    return malformed(`its arguments are longer than ${MOST_ARGUMENTS} characters`);
  try {
    const value = parseJson(raw) as Json;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { id, name, arguments: value };
    return malformed('its arguments are not a JSON object');
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined;
    return malformed(`its arguments are ${FAULTS[code ?? ''] ?? 'not valid JSON'}`);
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  json_too_deep: 'nested too deep',
  body_too_complex: 'of too many values',
};
