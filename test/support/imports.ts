import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns every file below a directory. */
export const filesUnder = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(directory, entry.name)) : [join(directory, entry.name)],
  );

/** Returns the import cycles, each as `a → b → a`; `imports` maps each file to its imports. */
export function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

const isWithin = (inner: string, outer: string): boolean => inner.startsWith(`${outer}/`);

/**
 * Maps each folder of a module to the folders that its files import. A folder and one inside it are left out if
 * `isAllowed`.
 */
export function folderImports(
  imports: ReadonlyMap<string, readonly string[]>,
  isAllowed: (outer: string, inner: string) => boolean,
): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const [path, imported] of imports)
    for (const other of imported) {
      const [from, to] = [dirname(path), dirname(other)];
      if (from === to || from.split('/')[0] !== to.split('/')[0]) continue;
      if (isWithin(to, from) ? isAllowed(from, to) : isWithin(from, to) && isAllowed(to, from)) continue;
      const known = folders.get(from) ?? [];
      if (!known.includes(to)) folders.set(from, [...known, to]);
    }
  return folders;
}
