import type { Pausing } from '../../common/pausing.js';
import type { NodeKinds } from '../engine/node/node-kind.js';
import type { AgentflowExport, ExportedNode, ImportWishes } from './agentflow-export.js';
import { type DraftNode, ImportDraft, placeholder } from './import-draft.js';
import type { WarnOf } from './import-warnings.js';
import { importedConfig } from './imported-config.js';
import { type BroughtAlong, type Imported, NOTHING_BROUGHT } from './imported-node.js';
import { credentialOf, rowsOf, wordOf } from './imported-texts.js';
import { readInputs } from './read-inputs.js';

const STICKY_NOTE = 'stickyNoteAgentflow';

/**
 * Converts an export node by node, each kind by its own converter; one of a kind that is not among `kinds` becomes a
 * placeholder. Whether the whole can run is not asked here. Pauses after each node.
 */
export function* convertExport(
  given: AgentflowExport,
  wishes: ImportWishes,
  kinds: Pick<NodeKinds, 'has'>,
  brought: BroughtAlong = NOTHING_BROUGHT,
): Pausing<ImportDraft> {
  const draft = new ImportDraft(given, {
    ...(wishes.id === undefined ? {} : { id: wishes.id }),
    name: wishes.name ?? 'Imported flow',
    ...(given.description ? { description: given.description.slice(0, 10_000) } : {}),
  });
  draft.edges = edgesOf(given);
  const about = {
    variables: draft.variables,
    ids: given.nodes.map(({ id }) => id),
    models: new Map(Object.entries(wishes.models ?? {})) as Imported['models'],
    brought,
  };
  for (const [origin, node] of given.nodes.entries()) {
    if (isNote(node)) continue;
    const warn: WarnOf = (code, clause) => draft.warn({ origin }, code, clause);
    const made: DraftNode = { origin, ...convertedNode(node, { ...about, warn }) };
    draft.nodes.push(made);
    if (!kinds.has(made.kind)) placeholder(draft, made, `${toolOf(node)}has no counterpart here`);
    yield;
  }
  return draft;
}

/** Of a node that is one tool, which one. */
function toolOf({ data: { inputs = {} } }: ExportedNode): string {
  const tool = wordOf(inputs['toolAgentflowSelectedTool']) ?? wordOf(inputs['selectedTool']);
  return tool === undefined ? '' : `with the tool "${tool.slice(0, 100)}" `;
}

const isNote = ({ data, type }: ExportedNode): boolean => data.name === STICKY_NOTE || type === 'stickyNote';

/** Edges of notes join nothing that runs. */
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

/** Branches are numbered in the handle, `<node id>-output-<number>`; the number after the last condition is "else". */
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
