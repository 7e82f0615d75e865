import type { z } from 'zod';
import { STORED_MEMBERS } from '../../../api/flow-terms.js';
import { suggested } from '../../../common/texts/nearest-name.js';
import type { NodeKinds } from '../../engine/node-kind.js';
import { writtenSchema } from '../definition-schema.js';
import { type FlowDefinition, flowDefinition } from '../flow-definition.js';
import { memberPath, nodeTitle, type WarnHere } from './node-title.js';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
}

interface Unknown {
  path: string;
  name: string;
  known: readonly string[];
}

const STORED: ReadonlySet<string> = new Set(STORED_MEMBERS);

/** Unknown members that are counted: enough to choose between two readings. */
const MOST = 200;

/**
 * Warns of unknown members of the definition, its nodes and edges, and the config of each node. Parts that a schema leaves
 * open (a form, the body of a request) may have any members.
 */
export function warnOfUnknownMembers(
  written: unknown,
  { nodes }: FlowDefinition,
  kinds: NodeKinds,
  warn: WarnHere,
): void {
  for (const { path, name, known } of unknownIn(written, schemaFor(flowDefinition), '')) {
    if (STORED.has(path)) continue;
    const where = path === name ? 'The flow' : `"${path.slice(0, -name.length - 1)}"`;
    warn(() => unknownMember(path, `${where} has no member "${shown(name)}"`, name, known));
  }
  for (const [index, node] of nodes.entries()) {
    const kind = kinds.get(node.kind);
    if (!kind) continue;
    const { updateState: _, ...config } = node.config ?? {};
    for (const { path, name, known } of unknownIn(config, schemaFor(kind.config), `nodes[${index}].config`))
      warn(() =>
        unknownMember(
          path,
          `${nodeTitle(node)}: nodes of the kind "${node.kind}" have no "${shown(name)}"`,
          name,
          known,
        ),
      );
  }
}

const unknownMember = (path: string, clause: string, name: string, known: readonly string[]) => ({
  code: 'unknown_member',
  message: `${clause}: it is ignored.`,
  path,
  ...suggested(name, known),
});

const shown = (name: string): string => name.slice(0, 100);

const known = new WeakMap<z.ZodType, Schema>();

function schemaFor(type: z.ZodType): Schema {
  let schema = known.get(type);
  if (!schema) known.set(type, (schema = writtenSchema(type)));
  return schema;
}

const unknownIn = (value: unknown, schema: Schema, path: string): Unknown[] =>
  found(value, schema, { root: schema, path });

interface At {
  root: Schema;
  path: string;
}

function found(value: unknown, given: Schema, at: At): Unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = resolved(given, at.root);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return ofTheBest(value, options, at);
  if (Array.isArray(value)) return within(value.entries(), at, () => schema.items);
  const parts = partsOf(schema, at.root);
  // A schema without properties leaves members open.
  const closed = parts.every(
    ({ properties, additionalProperties: more }) => properties !== undefined && more === undefined,
  );
  const names = parts.flatMap(({ properties = {} }) => Object.keys(properties));
  const isKnown = new Set(names);
  const here = !closed
    ? []
    : Object.keys(value)
        .filter((name) => !isKnown.has(name))
        .map((name) => ({ path: memberPath(at.path, name), name, known: names }));
  return [...here, ...within(Object.entries(value), at, (name) => memberSchema(parts, name))].slice(0, MOST);
}

function within<Name extends string | number>(
  members: Iterable<[Name, unknown]>,
  at: At,
  schemaAt: (name: Name) => Schema | undefined,
): Unknown[] {
  const all: Unknown[] = [];
  for (const [name, member] of members) {
    const schema = schemaAt(name);
    if (schema && all.length < MOST)
      all.push(...found(member, schema, { ...at, path: memberPath(at.path, name) }));
  }
  return all;
}

function memberSchema(parts: readonly Schema[], name: string): Schema | undefined {
  for (const { properties = {}, additionalProperties: more } of parts) {
    if (Object.hasOwn(properties, name)) return properties[name];
    if (typeof more === 'object') return more;
  }
  return undefined;
}

/** Uses the schema that is meant: by its constants (`tool: "http"`), else the one with the fewest unknown members. */
function ofTheBest(value: object, options: readonly Schema[], at: At): Unknown[] {
  const type = Array.isArray(value) ? 'array' : 'object';
  const fitting = options
    .map((option) => resolved(option, at.root))
    .filter(
      (option) => option.anyOf || option.oneOf || option.allOf || [option.type ?? type].flat().includes(type),
    )
    .filter((option) => hasMarksOf(value, option, at.root));
  let best: Unknown[] | undefined;
  for (const option of fitting) {
    const unknown = found(value, option, at);
    if (best === undefined || unknown.length < best.length) best = unknown;
    if (best.length === 0) break;
  }
  return best ?? [];
}

const hasMarksOf = (value: object, option: Schema, root: Schema): boolean =>
  partsOf(option, root).every(({ properties = {} }) =>
    Object.entries(properties).every(
      ([name, { const: mark }]) => mark === undefined || (value as Record<string, unknown>)[name] === mark,
    ),
  );

const partsOf = (schema: Schema, root: Schema): Schema[] =>
  schema.allOf ? schema.allOf.flatMap((part) => partsOf(resolved(part, root), root)) : [schema];

/** Follows references to `$defs` of the root, or to the root itself. */
function resolved(schema: Schema, root: Schema): Schema {
  let here = schema;
  for (let steps = 0; here.$ref !== undefined && steps < 10; steps++) {
    const name = here.$ref.replace('#/$defs/', '');
    here = here.$ref === '#' ? root : (root.$defs?.[name] ?? {});
  }
  return here;
}
