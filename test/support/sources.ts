import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** A source file of this repository, with its imports. */
export interface Source {
  path: string;
  module: string;
  text: string;
  /** Specifiers: packages, or source files as paths from src/. */
  imports: string[];
  /** Source files that are needed at run time (not `import type`). */
  runtime: string[];
}

export function readSource(src: string, file: string): Source {
  const text = readFileSync(file, 'utf8');
  const path = relative(src, file);
  const ours = (specifier: string) => oursFrom(src, path, specifier);
  const statements = [
    ...text.matchAll(FROM),
    ...text.matchAll(/\bimport\(\s*()'([^']+)'/g),
    ...text.matchAll(FOR_ITS_EFFECT),
  ];
  return {
    path,
    module: path.split('/')[0]!,
    text,
    imports: statements.map((match) => ours(match[2]!)),
    runtime: statements.filter((match) => !match[1]).map((match) => ours(match[2]!)),
  };
}

/**
 * Returns the modules that are loaded before the first line of a source runs: packages, or source files as paths from
 * src/; no types, no `import()`.
 */
export const loadedWith = (src: string, { path, text }: Source): string[] =>
  [...text.matchAll(FROM), ...text.matchAll(FOR_ITS_EFFECT)]
    .filter((match) => !match[1])
    .map((match) => oursFrom(src, path, match[2]!));

const FROM = /^(?:import|export)\s+(type\s)?[^;]*?\sfrom\s+'([^']+)'/gm;
const FOR_ITS_EFFECT = /^import\s+()'([^']+)'/gm;

const oursFrom = (src: string, path: string, specifier: string): string =>
  specifier.startsWith('.')
    ? relative(src, resolve(src, dirname(path), specifier)).replace(/\.js$/, '.ts')
    : specifier;

/** Returns the names that a source declares or re-exports, each once: a type and a value of one name count as one. */
export function exportedBy(text: string): Set<string> {
  const declared =
    /^export (?:(?:default|declare|abstract|async) )*(?:class|function\*?|const enum|const|let|interface|type|enum) (\w+)/gm;
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!.split(','),
  );
  const names = listed.map((name) => /(\w+)\s*$/.exec(name)?.[1]).filter((name) => name !== undefined);
  return new Set([...[...text.matchAll(declared)].map(([, name]) => name!), ...names]);
}
