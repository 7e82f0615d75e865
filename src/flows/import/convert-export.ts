import type { Pausing } from '../../common/pausing.js';
import type { Json } from '../engine/json.js';
import type { NodeKinds } from '../engine/node-kind.js';
import type { AgentflowExport, ExportedNode, ImportWishes } from './agentflow-export.js';
import { earlierAnswers } from './earlier-answers.js';
import { type DraftNode, ImportDraft, placeholder } from './import-draft.js';
import type { WarnOf } from './import-warnings.js';
import { importedConfig } from './imported-config.js';
import { type ImportedDependencies, type Imported, NO_DEPENDENCIES } from './imported-node.js';
import { importedNotes, isNote } from './imported-notes.js';
import { knownStores, namesOfStores } from './imported-stores.js';
import { ImportedReferences } from './texts/imported-references.js';
import { credentialOf, rowsOf, wordOf, isEmpty } from './texts/imported-texts.js';

/**
 * Converts an export node by node with the converter of each kind; a node of an unknown kind becomes a placeholder. Does
 * not check that the flow can run. Pauses after each node.
 */
export function* convertExport(
  given: AgentflowExport,
  wishes: ImportWishes,
  kinds: Pick<NodeKinds, 'has'>,
  dependencies: ImportedDependencies = NO_DEPENDENCIES,
): Pausing<ImportDraft> {
  const draft = new ImportDraft(given, {
    ...(wishes.id === undefined ? {} : { id: wishes.id }),
    name: wishes.name ?? nameIn(given),
    ...(given.description ? { description: given.description.slice(0, 10_000) } : {}),
  });
  draft.edges = edgesOf(given);
  draft.notes = importedNotes(given, draft);
  const referred = new Map(
    given.nodes.map(({ id, data: { name, inputs = {} } }) => [id, { name, inputs }] as const),
  );
  const about = {
    ids: given.nodes.map(({ id }) => id),
    models: new Map(Object.entries(wishes.models ?? {})) as Imported['models'],
    dependencies,
  };
  const earlierThan = earlierAnswers(given);
  for (const [origin, node] of given.nodes.entries()) {
    if (isNote(node)) continue;
    const earlier = () => earlierThan(node.id);
    const warn: WarnOf = (code, clause, more) => draft.warn({ origin }, code, clause, more);
    const references = new ImportedReferences(referred, draft.variables, warn);
    const made: DraftNode = { origin, ...convertedNode(node, { ...about, warn, references, earlier }) };
    draft.nodes.push(made);
    if (!kinds.has(made.kind))
      placeholder(draft, made, `${toolOf(node, dependencies)}has no counterpart here`);
    yield;
  }
  return draft;
}

/** Returns the name of an export, else the title of its form or its description. */
function nameIn({ name, description, nodes }: AgentflowExport): string {
  const start = nodes.find(({ data }) => data.name === 'startAgentflow')?.data.inputs ?? {};
  const words = [name, wordOf(start['formTitle']), description?.split('\n', 1)[0]?.slice(0, 80)];
  return words.map((word) => word?.trim().slice(0, 200)).find((word) => word) ?? 'Imported flow';
}

/** Names the tool or the document stores that a node needs. */
function toolOf({ data: { name, inputs = {} } }: ExportedNode, dependencies: ImportedDependencies): string {
  if (name === 'retrieverAgentflow') {
    const { missing } = knownStores(inputs['retrieverKnowledgeDocumentStores'], { dependencies });
    return missing.length > 0 ? `with the document store ${namesOfStores(missing)} ` : '';
  }
  const tool = wordOf(inputs['toolAgentflowSelectedTool']) ?? wordOf(inputs['selectedTool']);
  return tool === undefined ? '' : `with the tool "${tool.slice(0, 100)}" `;
}

/** Returns the edges except those of notes. */
function edgesOf({ nodes, edges }: AgentflowExport): ImportDraft['edges'] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const notes = new Set(nodes.filter(isNote).map(({ id }) => id));
  return edges.flatMap(({ source, target, sourceHandle }, origin) => {
    if (notes.has(source) || notes.has(target)) return [];
    const on = branchOf(byId.get(source), sourceHandle);
    return [{ origin, from: source, to: target, ...(on === undefined ? {} : { on }) }];
  });
}

function convertedNode(node: ExportedNode, about: Omit<Imported, 'inputs' | 'credential'>) {
  const { id, parentNode, position, data } = node;
  const { inputs, unread } = readInputs(data.inputs ?? {});
  const credential = wordOf(data.credential) ?? credentialOf(data.inputs ?? {});
  const { kind, config, isKnown } = importedConfig(data.name, { inputs, credential, ...about });
  const left = isKnown ? unread() : [];
  if (left.length > 0) about.warn('not_carried_over', `its ${left.join(', ')} had no counterpart here`);
  return {
    id,
    kind,
    config,
    ...(data.label ? { label: data.label.slice(0, 200) } : {}),
    ...(parentNode ? { parentNode } : {}),
    ...(position ? { position } : {}),
  };
}

/** Returns the branch in a handle, `<node id>-output-<number>`; the number after the last condition is "else". */
function branchOf(source: ExportedNode | undefined, handle: string | null | undefined): string | undefined {
  const mark = '-output-';
  const at = handle?.lastIndexOf(mark) ?? -1;
  const number = at < 0 ? '' : handle!.slice(at + mark.length);
  if (!source || !/^\d{1,4}$/.test(number)) return undefined;
  const isElse =
    source.data.name === 'conditionAgentflow' &&
    Number(number) === rowsOf(source.data.inputs?.['conditions']).length;
  return isElse ? 'else' : number;
}

type Inputs = Record<string, Json>;

const MOST_NAMES = 20;

/** Inputs without a meaning here: the editor's own state, and the role of an answer. */
const MEANINGLESS = new Set([
  ...['undefined', 'credential', 'FLOWISE_CREDENTIAL_ID', 'llmReturnResponseAs', 'agentReturnResponseAs'],
  ...['executeFlowReturnResponseAs', 'startPersistState', 'humanInputDescriptionType'],
]);

/** Returns the inputs of a node, and a function for the names of non-empty ones that were not read. */
function readInputs(given: Inputs): { inputs: Inputs; unread: () => string[] } {
  const read = new Set<PropertyKey>(MEANINGLESS);
  const inputs = new Proxy(given, {
    get(target, name) {
      read.add(name);
      return typeof name === 'string' && Object.hasOwn(target, name) ? target[name] : undefined;
    },
  });
  const isUnread = ([name, value]: [string, Json]): boolean =>
    !read.has(name) && !isEmpty(value) && value !== false;
  return {
    inputs,
    unread: () =>
      Object.entries(given)
        .filter(isUnread)
        .slice(0, MOST_NAMES)
        .map(([name]) => name.slice(0, 100)),
  };
}
