import { NEVER_OVERRIDDEN } from '../../../../src/api/flow-terms.js';
import { resolved, type Schema } from './json-schema.js';
import { schemaOfKind } from './new-value.js';

/** The most names of a path below the config of a node that are offered. */
const DEPTH = 3;

/** Returns the config values that callers can be allowed to set, as `nodeId.path`, in the order of nodes and schema. */
export function overridablePaths(
  nodes: readonly { id: string; kind: string }[],
  root: Schema,
): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const pathsOf = (kind: string) => {
    const config = schemaOfKind(root, kind)?.properties?.['config'];
    const paths = known.get(kind) ?? (config ? pathsIn(config, root, DEPTH) : []);
    known.set(kind, paths);
    return paths;
  };
  return nodes.flatMap(({ id, kind }) => pathsOf(kind).map((path) => `${id}.${path}`));
}

function pathsIn(schema: Schema, root: Schema, depth: number): string[] {
  const paths = alternativesOf(schema, root).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      if (member.const !== undefined) return [];
      const inner = depth > 1 ? pathsIn(member, root, depth - 1).map((path) => `${name}.${path}`) : [];
      return Object.hasOwn(NEVER_OVERRIDDEN, name) ? inner : [name, ...inner];
    }),
  );
  return [...new Set(paths)];
}

function alternativesOf(schema: Schema, root: Schema): Schema[] {
  const found = resolved(schema, root);
  return found.anyOf ? found.anyOf.flatMap((option) => alternativesOf(option, root)) : [found];
}
