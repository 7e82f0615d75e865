import type { Pausing } from '../../../common/pausing.js';
import { suggested } from '../../../common/texts/nearest-name.js';
import type { Json } from '../../engine/json.js';
import type { NodeKind, NodeKinds } from '../../engine/node-kind.js';
import { parseTemplate, type Reference } from '../../engine/template.js';
import type { FlowDefinition } from '../flow-definition.js';
import { memberPath, nodeTitle, type WarnHere } from './node-title.js';
import { type TextPlace, type ReferenceFault, ReferenceNames } from './reference-names.js';

/** Warns of every `{{…}}` in a node's texts that can have no value in a run and would stay as written. */
export function* warnOfReferences(
  definition: FlowDefinition,
  kinds: NodeKinds,
  warn: WarnHere,
): Pausing<void> {
  const names = new ReferenceNames(definition, kinds);
  const meant = new Meant();
  for (const [index, node] of definition.nodes.entries()) {
    const { updateState, ...config } = node.config ?? {};
    const place = withArguments(config, { isInIteration: node.parentNode !== undefined });
    const report = (reference: Reference, path: string, here: TextPlace) => {
      const fault = names.faultOf(reference, here);
      if (!fault) return;
      warn(() => ({
        code: fault.code ?? 'unknown_reference',
        message: `${nodeTitle(node)}: {{${shown(reference)}}} stays as written: ${fault.reason}.`,
        path,
        ...meant.by(fault),
      }));
    };
    const at = `nodes[${index}].config`;
    for (const [name, value] of templatesOf(config, kinds.get(node.kind)))
      yield* readReferences(value, memberPath(at, name), place, report);
    if (updateState !== undefined)
      yield* readReferences(updateState, `${at}.updateState`, { ...place, outputOf: node.id }, report);
  }
}

/** Names that are compared for one definition. */
const MOST_COMPARED = 20_000;

/** Suggestions, each searched once. */
class Meant {
  private readonly found = new Map<string, { suggestion?: string }>();
  private left = MOST_COMPARED;

  by({ near }: ReferenceFault): { suggestion?: string } {
    if (!near) return {};
    const key = near.spelt(near.name);
    const found = this.found.get(key) ?? this.search(near);
    this.found.set(key, found);
    return found;
  }

  private search({ name, known, spelt }: NonNullable<ReferenceFault['near']>): { suggestion?: string } {
    this.left -= known.size;
    const { suggestion } = this.left < 0 ? {} : suggested(name, known);
    return suggestion === undefined ? {} : { suggestion: spelt(suggestion) };
  }
}

/** The members whose texts are templates, filled by the engine or by the kind itself. */
function templatesOf(config: Record<string, Json>, kind: NodeKind | undefined): [string, Json][] {
  if (!kind) return [];
  const plain = new Set(kind.rawTexts?.filter((name) => !kind.filledLater?.includes(name)));
  return Object.entries(config).filter(([name]) => !plain.has(name));
}

const shown = ({ root, path }: Reference): string => [root, ...path].join('.').slice(0, 100);

/** Members of a tool whose texts are not templates. */
const PLAIN_IN_TOOLS: ReadonlySet<string> = new Set(['settings', 'code', 'parameters', 'credentialId']);

type Report = (reference: Reference, path: string, place: TextPlace) => void;

function* readReferences(value: Json, path: string, place: TextPlace, report: Report): Pausing<void> {
  if (typeof value === 'string') {
    for (const part of parseTemplate(value).parts) {
      if (typeof part === 'string') continue;
      report(part, path, place);
      yield;
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* readReferences(item, memberPath(path, index), place, report);
  } else if (typeof value === 'object' && value !== null) {
    const inside = withArguments(value, place);
    for (const [name, member] of Object.entries(value)) {
      if (inside === place || !PLAIN_IN_TOOLS.has(name))
        yield* readReferences(member, memberPath(path, name), inside, report);
    }
  }
}

/** Returns the context within a tool, where `{{$args.name}}` reads its declared parameters. */
function withArguments(value: Record<string, Json>, place: TextPlace): TextPlace {
  if (typeof value['tool'] !== 'string') return place;
  const { parameters } = value;
  const declared =
    typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)
      ? parameters['properties']
      : undefined;
  return { ...place, args: typeof declared === 'object' && declared !== null ? Object.keys(declared) : [] };
}
