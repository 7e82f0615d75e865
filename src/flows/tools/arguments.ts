import type { Json } from '../engine/json.js';
import { jsonOrText } from '../engine/node-values.js';
import { type Lookup, valueAt } from '../engine/template.js';
import { formFault } from '../schema/check-form.js';

/** Returns why the arguments of a call do not fit the schema of their tool. */
export const argumentFault = async (
  parameters: Json,
  args: Record<string, Json>,
): Promise<string | undefined> =>
  typeof parameters !== 'object' || parameters === null ? undefined : formFault(args, parameters);

/**
 * Returns filled arguments with each text read as JSON where its schema wants another type, such as a number: templates fill
 * texts. A text that is no value of that type stays, for `argumentFault` to report.
 */
export function typedArguments(parameters: Json, args: Record<string, Json>): Record<string, Json> {
  const members = Object.entries(args).map(([name, given]): [string, Json] => {
    const types = [valueAt(parameters, ['properties', name, 'type']) ?? []].flat();
    if (typeof given !== 'string' || types.length === 0 || types.includes('string')) return [name, given];
    const read = jsonOrText(given);
    return [name, types.some((type) => isOfType(read, type)) ? read : given];
  });
  return Object.fromEntries(members);
}

/** Returns whether a value has a type that a JSON Schema names. */
function isOfType(value: Json, type: Json): boolean {
  if (value === null || Array.isArray(value)) return type === (value === null ? 'null' : 'array');
  return type === typeof value || (type === 'integer' && Number.isInteger(value));
}

/** Looks up `{{$args}}` and `{{$args.name}}` of a call. A missing parameter is empty; an unknown one stays as written. */
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
