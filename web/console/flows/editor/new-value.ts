import { resolved, type Schema, typesOf } from './json-schema.js';

/** Returns the first value of a new member: required members, the first of a choice, empty texts and lists. */
export function newValue(schema: Schema, root: Schema, depth = 0): unknown {
  const found = resolved(schema, root);
  const [first] = found.anyOf ?? [];
  if (first) return newValue(first, root, depth);
  if (found.const !== undefined) return found.const;
  if (found.enum) return found.enum[0];
  switch (typesOf(found)[0]) {
    case 'object':
      return newMembers(found, root, depth);
    case 'array':
      return found.items && (found.minItems ?? 0) > 0 ? [newValue(found.items, root, depth + 1)] : [];
    case 'number':
    case 'integer':
      return found.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return '';
  }
}

function newMembers({ properties = {}, required = [] }: Schema, root: Schema, depth: number): unknown {
  if (depth > 4) return {};
  return Object.fromEntries(
    required.map((name) => [
      name,
      newValue(Object.hasOwn(properties, name) ? properties[name]! : {}, root, depth + 1),
    ]),
  );
}

/** Returns the schema of a node of a kind; undefined for an unknown kind. */
export const schemaOfKind = (root: Schema | undefined, kind: string): Schema | undefined =>
  root?.properties?.['nodes']?.items?.anyOf?.find(({ properties }) => properties?.['kind']?.const === kind);

/** Returns the config of a new node of a kind. Lists whose items are branches begin with one. */
export function newConfig(root: Schema | undefined, kind: string): Record<string, unknown> {
  const config = schemaOfKind(root, kind)?.properties?.['config'];
  const value = config && root ? newValue(config, root) : {};
  if (typeof value !== 'object' || value === null) return {};
  const members = value as Record<string, unknown>;
  for (const name of ['conditions', 'scenarios']) {
    const items = config?.properties?.[name]?.items;
    const list = Object.hasOwn(members, name) ? members[name] : undefined;
    if (items && Array.isArray(list) && list.length === 0) members[name] = [newValue(items, root!)];
  }
  return members;
}
