import type { Json } from '../engine/json.js';
import { type Lookup, valueAt } from '../engine/template.js';
import { formFault } from '../schema/check-form.js';

/** Returns why the arguments of a call do not fit the schema of their tool. */
export const argumentFault = async (
  parameters: Json,
  args: Record<string, Json>,
): Promise<string | undefined> =>
  typeof parameters !== 'object' || parameters === null ? undefined : formFault(args, parameters);

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
