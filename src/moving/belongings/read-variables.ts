import type { MoveSource } from '../source/move-source.js';
import { columnText } from '../source/row-values.js';

/** A variable of the whole installation. A `runtime` one has its value from the environment of the other service. */
export interface ForeignVariable {
  name: string;
  value: string;
  runtime: boolean;
}

/** By workspace, and there by name: a flow reads those of its own. */
export type ForeignVariables = ReadonlyMap<string, ReadonlyMap<string, ForeignVariable>>;

export async function readVariables(source: MoveSource): Promise<ForeignVariables> {
  const all = new Map<string, Map<string, ForeignVariable>>();
  for await (const row of source.rows('variable')) {
    const name = columnText(row['name']);
    if (name === undefined) continue;
    const workspace = columnText(row['workspaceId']) ?? '';
    const own = all.get(workspace) ?? new Map<string, ForeignVariable>();
    all.set(workspace, own);
    own.set(name, {
      name,
      value: columnText(row['value']) ?? '',
      runtime: columnText(row['type']) === 'runtime',
    });
  }
  return all;
}

const NAMED = /\$vars(?:\.([\p{L}\p{N}_$-]+)|\s*\??\.?\[\s*\\?["'`]([^"'`\\\]]{1,200})\\?["'`]\s*\])/gu;

/** The variables that the texts and the code of a flow read. */
export interface VariableUse {
  names: ReadonlySet<string>;
  reads: (name: string) => boolean;
}

/** `$vars` without a plain name behind it may read each of them. */
export function variablesReadIn(text: string): VariableUse {
  const names = new Set<string>();
  let plain = 0;
  for (const [, dotted, quoted] of text.matchAll(NAMED)) {
    names.add((dotted ?? quoted)!);
    plain++;
  }
  const any = (text.match(/\$vars(?![\p{L}\p{N}_])/gu) ?? []).length > plain;
  // In code `$vars.a-b` may be a difference.
  const heads = new Set([...names].map((name) => name.split('-')[0]!));
  return { names, reads: (name) => any || names.has(name) || heads.has(name) };
}
