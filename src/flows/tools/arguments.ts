import type { Json } from '../engine/json.js';
import type { Lookup } from '../engine/template/template.js';
import { schemaFault } from '../nodes/asking/structured-reading.js';
import { valueAt } from '../engine/template/template.js';

/** Longer schemas are not checked against: they come from outside. */
const LONGEST_SCHEMA = 64_000;

/** Why the arguments of a call do not fit the schema of their tool; a schema that cannot be read allows everything. */
export function argumentFault(parameters: Json, args: Record<string, Json>): string | undefined {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  return JSON.stringify(parameters).length > LONGEST_SCHEMA ? undefined : schemaFault(args, parameters);
}

/** `{{$args}}` and `{{$args.name}}` for one call. A parameter that the model left out is empty; one that is unknown stays as written. */
export function argumentLookup(args: Record<string, Json>, parameters: Json | undefined): Lookup {
  const declared = valueAt(parameters, ['properties']);
  const isDeclared = (name: string): boolean =>
    typeof declared === 'object' && declared !== null && Object.hasOwn(declared, name);
  return (root, path) => {
    if (root !== '$args') return undefined;
    const [name] = path;
    return valueAt(args, path) ?? (name !== undefined && isDeclared(name) ? '' : undefined);
  };
}
