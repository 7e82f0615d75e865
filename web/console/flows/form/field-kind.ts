import { marksOf, resolved, type Schema, typeOf, typesOf } from '../editor/json-schema.js';

/** The ways in which a value is entered. */
export type Look = 'choice' | 'boolean' | 'number' | 'text' | 'list' | 'members' | 'names' | 'raw';

export interface Way {
  look: Look;
  schema: Schema;
  /** The value of the member that tells this alternative from others, such as the type of a tool. */
  mark?: readonly [name: string, value: string];
}

/** Returns the ways in which a value may be entered, without duplicates; alternatives of objects keep their marks. */
export function waysOf(schema: Schema, root: Schema, depth = 0): Way[] {
  const found = resolved(schema, root);
  if (found.anyOf && depth < 6) {
    const all = found.anyOf.flatMap((option) => waysOf(option, root, depth + 1));
    return all.filter(
      (way, index) =>
        index === all.findIndex((other) => other.look === way.look && other.mark?.[1] === way.mark?.[1]),
    );
  }
  if (found.const !== undefined || found.enum) return [{ look: 'choice', schema: found }];
  const types = typesOf(found).filter((type) => type !== 'null');
  if (types.length === 0) return typesOf(found).length > 0 ? [] : [{ look: 'raw', schema: found }];
  const looks = [...new Set(types.map((type) => lookOf(type, found)))];
  // A text may hold a template for a number or a yes or no, so that one field does.
  const plain = looks.includes('text')
    ? looks.filter((look) => look !== 'number' && look !== 'boolean')
    : looks;
  const [mark] = marksOf(found);
  return plain.map((look) => ({
    look,
    schema: found,
    ...(look === 'members' && typeof mark?.[1] === 'string' && { mark: [mark[0], mark[1]] as const }),
  }));
}

function lookOf(type: string, { properties }: Schema): Look {
  if (type === 'object') return properties ? 'members' : 'names';
  if (type === 'array') return 'list';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

/** Returns the way in which a value is written now; the first one for a value that is absent. */
export function wayOf(ways: readonly Way[], value: unknown): Way | undefined {
  if (value === undefined) return ways[0];
  const fitting = ways.filter((way) => fits(way, value));
  return (
    fitting.find(({ mark }) => mark && (value as Record<string, unknown>)[mark[0]] === mark[1]) ?? fitting[0]
  );
}

function fits({ look, schema }: Way, value: unknown): boolean {
  const type = typeOf(value);
  switch (look) {
    case 'choice':
      return type !== 'object' && type !== 'array' && (schema.enum ?? [schema.const]).includes(value);
    case 'text':
      return (
        type === 'string' || ((type === 'number' || type === 'boolean') && typesOf(schema).includes(type))
      );
    case 'list':
      return type === 'array';
    case 'members':
    case 'names':
      return type === 'object';
    case 'raw':
      return true;
    default:
      return type === look;
  }
}

/** Returns the name of a way for a choice between several. */
export function wayName({ look, mark }: Way): string {
  if (mark) return mark[1];
  const names: Record<Look, string> = {
    ...{ choice: 'Choice', boolean: 'Yes or no', number: 'Number', text: 'Text', list: 'List' },
    ...{ members: 'Members', names: 'Names and values', raw: 'JSON' },
  };
  return names[look];
}

/** Returns the label of a member: `maxTokens` → “Max tokens”. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words
    .replace(/^./, (letter) => letter.toUpperCase())
    .replaceAll(/\b(id|url|ms|mb|json)\b/gi, (word) => abbreviations[word.toLowerCase()]!);
}

const abbreviations: Readonly<Record<string, string>> = {
  id: 'id',
  url: 'URL',
  ms: '(ms)',
  mb: '(MB)',
  json: 'JSON',
};
