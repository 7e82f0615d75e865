import type { Json } from '../engine/json.js';
import type { Imported } from './imported-node.js';
import { rowsOf, templateOf, templatesIn, wordOf } from './texts/imported-texts.js';

type Config = Record<string, Json>;

/** A document store that an export names and that is here. */
export interface KnownStore {
  id: string;
  description: string | undefined;
}

/** The rows of an export that name document stores: those that are here, and the others as they are. */
export function knownStores(
  rows: Json | undefined,
  { brought: { stores } }: Pick<Imported, 'brought'>,
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

/** The names of stores that are not here, for a sentence. */
export const namesOfStores = (rows: readonly Config[]): string =>
  rows
    .slice(0, 10)
    .map((row) => `"${(wordOf(row['documentStore']) ?? 'without a name').slice(0, 100)}"`)
    .join(', ');

/** A tool for each store, so that what is said of it leads the model to it. */
export const retrieveSettings = ({ id, description }: KnownStore, place: number): Config => ({
  tool: 'retrieve',
  name: place === 0 ? 'retrieve' : `retrieve_${place + 1}`,
  ...(description === undefined ? {} : { description: description.slice(0, 4_000) }),
  stores: [id],
});

/** Without `stores` where one of them is not here: as it was, the node would find less than it did. */
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
