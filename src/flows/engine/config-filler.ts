import { fillTemplate, hasReferences, type Lookup, parseTemplate } from './template.js';

/** Returns a copy of a config with its texts filled in. A config without references has no filler and is used as it is. */
export type Filler = (lookup: Lookup) => unknown;

/** The parts of a config that stay as written. */
interface Unfilled {
  /** Members by their path, not inside lists. */
  paths?: ReadonlySet<string>;
  /** Texts, wherever they are. */
  texts?: ReadonlySet<string>;
}

/** Parses all texts of a value once, so that each run only inserts values. */
export function compileFiller(
  value: unknown,
  roots: Set<string>,
  except: Unfilled = {},
  path = '',
): Filler | undefined {
  if (path !== '' && except.paths?.has(path)) return undefined;
  if (typeof value === 'string') return except.texts?.has(value) ? undefined : textFiller(value, roots);
  if (Array.isArray(value)) return listFiller(value, roots, insideLists(except));
  if (typeof value === 'object' && value !== null) return objectFiller(value, roots, except, path);
  return undefined;
}

const insideLists = ({ texts }: Unfilled): Unfilled => (texts ? { texts } : {});

function textFiller(text: string, roots: Set<string>): Filler | undefined {
  const template = parseTemplate(text);
  if (!hasReferences(template)) return undefined;
  for (const part of template.parts) if (typeof part !== 'string') roots.add(part.root);
  return (lookup) => fillTemplate(template, lookup);
}

function listFiller(list: readonly unknown[], roots: Set<string>, except: Unfilled): Filler | undefined {
  const fillers = list.map((item) => compileFiller(item, roots, except));
  if (fillers.every((filler) => filler === undefined)) return undefined;
  return (lookup) => list.map((item, index) => fillers[index]?.(lookup) ?? item);
}

function objectFiller(
  object: object,
  roots: Set<string>,
  except: Unfilled,
  path: string,
): Filler | undefined {
  const members = Object.entries(object).map(([name, value]) => ({
    name,
    value: value as unknown,
    filler: compileFiller(value, roots, except, path === '' ? name : `${path}.${name}`),
  }));
  if (members.every(({ filler }) => filler === undefined)) return undefined;
  return (lookup) =>
    Object.fromEntries(members.map(({ name, value, filler }) => [name, filler ? filler(lookup) : value]));
}
