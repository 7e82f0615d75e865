import type { Json } from '../engine/json.js';
import type { Imported } from './imported-node.js';
import { rowsOf, templateOf, templatesIn, wordOf } from './texts/imported-texts.js';

type Config = Record<string, Json>;

/** A document store that an export names and that exists here. */
interface KnownStore {
  id: string;
  description: string | undefined;
}

/** Splits the rows of an export that name document stores into known ones and others. */
export function knownStores(
  rows: Json | undefined,
  { dependencies: { stores } }: Pick<Imported, 'dependencies'>,
): { found: KnownStore[]; missing: Config[] } {
  const found: KnownStore[] = [];
  const missing: Config[] = [];
  for (const row of rowsOf(rows)) {
    const id = stores?.find(wordOf(row['documentStore'])?.trim() ?? '');
    if (id !== undefined) found.push({ id, description: wordOf(row['docStoreDescription']) });
    else missing.push(row);
  }
  return { found, missing };
}

/** Returns the names of missing stores for a sentence. */
export const namesOfStores = (rows: readonly Config[]): string =>
  rows
    .slice(0, 10)
    .map((row) => `"${(wordOf(row['documentStore']) ?? 'without a name').slice(0, 100)}"`)
    .join(', ');

/** Returns a tool for each store, so that its description leads the model to it. */
export const retrieveSettings = ({ id, description }: KnownStore, place: number): Config => ({
  tool: 'retrieve',
  name: place === 0 ? 'retrieve' : `retrieve_${place + 1}`,
  ...(description === undefined ? {} : { description: description.slice(0, 4_000) }),
  stores: [id],
});

/** Converts a retriever; without `stores` if one of them is missing, because the node would find less than before. */
export function retrieverConfig(node: Imported): Config {
  const { inputs, references } = node;
  const { found, missing } = knownStores(inputs['retrieverKnowledgeDocumentStores'], node);
  if (missing.length > 0 || found.length === 0) return templatesIn(inputs, references) as Config;
  const query = templateOf(wordOf(inputs['retrieverQuery']) ?? '', references).trim();
  return {
    stores: [...new Set(found.map(({ id }) => id))],
    query: query === '' ? '{{question}}' : query,
    ...(inputs['outputFormat'] === 'textWithMetadata' ? { format: 'json' } : {}),
  };
}
