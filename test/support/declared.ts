/** JSON Schema, as far as the API description uses it. */
export interface DeclaredSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, DeclaredSchema>;
  additionalProperties?: DeclaredSchema | boolean;
  items?: DeclaredSchema;
  anyOf?: DeclaredSchema[];
  oneOf?: DeclaredSchema[];
  allOf?: DeclaredSchema[];
}

type Components = Record<string, DeclaredSchema>;

/**
 * Returns the paths of members that an answer has and its schema does not declare. An object schema without properties
 * allows any member; of several alternatives the one that declares most members counts.
 */
export function undeclared(
  schema: DeclaredSchema,
  value: unknown,
  components: Components,
  path = '',
): string[] {
  const { $ref, anyOf, oneOf, allOf, properties, additionalProperties: others, items } = schema;
  if ($ref !== undefined) return undeclared(components[$ref.split('/').at(-1)!]!, value, components, path);
  const forms = anyOf ?? oneOf;
  if (forms) {
    const found = forms
      .filter((form) => couldBe(form, value, components))
      .map((form) => undeclared(form, value, components, path));
    return found.sort((left, right) => left.length - right.length)[0] ?? [`${path}: no form of it`];
  }
  if (Array.isArray(value)) {
    if (!items) return [];
    return [...new Set(value.flatMap((item) => undeclared(items, item, components, `${path}[]`)))];
  }
  if (typeof value !== 'object' || value === null) return [];
  const parts = (allOf ?? []).map((part) => (part.$ref ? components[part.$ref.split('/').at(-1)!]! : part));
  const known = Object.assign({}, properties, ...parts.map((part) => part.properties)) as Components;
  if (others === true || (Object.keys(known).length === 0 && others === undefined)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(known, name)) return undeclared(known[name]!, part, components, here);
    return typeof others === 'object' ? undeclared(others, part, components, `${path}.*`) : [here];
  });
}

function couldBe(schema: DeclaredSchema, value: unknown, components: Components): boolean {
  const { $ref, type } = schema;
  if ($ref !== undefined) return couldBe(components[$ref.split('/').at(-1)!]!, value, components);
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [type].flat().some((name) => name === own || (own === 'number' && name === 'integer'));
}
