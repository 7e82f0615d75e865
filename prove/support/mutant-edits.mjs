/** The edits that make a mutant of a build: each must find its text exactly once. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proofs } from './mutant-list.mjs';

const patternOf = (find) =>
  new RegExp(find instanceof RegExp ? find.source : find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g');

/** Applies edits to the build in `folder`. Throws unless each text occurs exactly once. */
export function applyEdits(folder, edits) {
  for (const [file, find, replace] of edits) {
    const path = join(folder, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const found = text.match(patternOf(find))?.length ?? 0;
    if (found !== 1) throw new Error(`"${find}" stands ${found} times in dist/${file}`);
    // A pattern names a place by its surroundings, which `$1` preserves; a text is taken literally.
    if (replace !== undefined)
      writeFileSync(path, text.replace(find, find instanceof RegExp ? replace : () => replace));
  }
}

/** Returns a sentence for each mutant whose edits no longer fit the build in `folder`. */
export function brokenMutants(folder) {
  return Object.entries(proofs).flatMap(([proof, { mutants }]) =>
    mutants.flatMap(({ name, edits }) => {
      try {
        applyEdits(
          folder,
          edits.map(([file, find]) => [file, find]),
        );
        return [];
      } catch (error) {
        return [`${proof}, "${name}": ${error.message}`];
      }
    }),
  );
}
