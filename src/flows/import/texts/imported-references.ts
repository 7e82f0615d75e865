import { nearestName } from '../../../common/texts/nearest-name.js';
import type { Json } from '../../engine/json.js';
import type { Reference } from '../../engine/template.js';

/** The part of an exported node that references to it depend on. */
interface ReferredNode {
  name: string;
  inputs: Record<string, Json>;
}

/** Reports a reference that has no counterpart, in a clause. */
type WarnOfReference = (code: string, clause: string, more?: { suggestion?: string }) => void;

/** Names in references that differ here. */
const RENAMED = new Map([
  ['$flow.chatflowid', '$flow.flowId'],
  ['$flow.chatflowId', '$flow.flowId'],
  ['$flow.input', 'question'],
]);

const PLAIN_REFERENCE = /^[\w$.-]+$/;

/** The node's text, which `{{id}}` reads; what follows in the path, if anything, is a member of `output`. */
const TEXT = '';

interface Output {
  /** Paths behind the node's id here, by the path in the output of the other service. Other paths are the same. */
  places: Readonly<Record<string, string>>;
  /** True if the output may have any member here, so that a save cannot find a wrong one. */
  isOpen?: true;
}

/** Outputs that have another form here, by the name of the node in an export. */
const OUTPUTS = new Map<string, Output>([
  [
    'httpAgentflow',
    {
      places: {
        http: 'output',
        'http.data': 'output.data',
        'http.status': 'output.status',
        'http.headers': 'output.headers',
      },
    },
  ],
  ['customFunctionAgentflow', { places: { content: TEXT }, isOpen: true }],
  ['toolAgentflow', { places: { content: TEXT }, isOpen: true }],
  ['executeFlowAgentflow', { places: { content: 'output.content' }, isOpen: true }],
  ['retrieverAgentflow', { places: { content: TEXT } }],
  ['conditionAgentAgentflow', { places: { content: 'output.answer' } }],
  ['iterationAgentflow', { places: { content: TEXT, iterationResults: 'output' } }],
  ['loopAgentflow', { places: { content: TEXT, fallbackMessage: TEXT, maxLoopCount: 'output.max' } }],
  ['humanInputAgentflow', { places: { content: TEXT } }],
]);

/** Paths of a bare `{{id}}` that does not read the node's text. */
const BARE = new Map([['conditionAgentAgentflow', 'output.answer']]);

/**
 * Converts the references in a node's texts, so that output paths lead to the same value here. Collects the names of
 * `$vars`, and warns of a path without a counterpart.
 */
export class ImportedReferences {
  constructor(
    private readonly nodes: ReadonlyMap<string, ReferredNode>,
    readonly variables: Set<string>,
    private readonly warn: WarnOfReference,
  ) {}

  spelt(reference: Reference): string {
    const { root, raw } = reference;
    const given = reference.path.map(withoutQuotes);
    const [first] = given;
    if (root === '$vars' && first !== undefined) this.variables.add(first);
    const path = this.pathHere(root, given);
    const name = [root, ...path].join('.');
    const isSame = path.join('.') === reference.path.join('.');
    return isSame && !PLAIN_REFERENCE.test(name) ? raw : `{{${RENAMED.get(name) ?? name}}}`;
  }

  private pathHere(root: string, path: readonly string[]): readonly string[] {
    const node = this.nodes.get(root);
    if (!node) return path;
    if (path.length === 0) return membersOf(bareOf(node));
    const output = OUTPUTS.get(node.name);
    if (!output || path[0] !== 'output' || path.length === 1) return path;
    const inside = path.slice(1);
    const known = [inside.slice(0, 2).join('.'), inside[0]!].find((name) =>
      Object.hasOwn(output.places, name),
    );
    if (known === undefined) {
      if (output.isOpen) this.warnOf(root, inside, node, output);
      return path;
    }
    const rest = inside.slice(known.split('.').length);
    const place = known === 'content' ? contentOf(node, output) : output.places[known]!;
    if (place !== TEXT) return [...membersOf(place), ...rest];
    // A member of a text: the output of a function or a tool may have one here, others do not.
    if (rest.length > 0) return output.isOpen ? ['output', ...rest] : path;
    return [];
  }

  private warnOf(root: string, inside: readonly string[], { name }: ReferredNode, { places }: Output): void {
    const meant = nearestName(inside[0]!, Object.keys(places));
    const written = [root, 'output', ...inside].join('.').slice(0, 100);
    this.warn(
      'unknown_reference',
      `{{${written}}} stays as written: the output of "${name.slice(0, 100)}" has no "${inside[0]!.slice(0, 100)}"`,
      meant === undefined ? {} : { suggestion: [root, 'output', meant, ...inside.slice(1)].join('.') },
    );
  }
}

const membersOf = (place: string): string[] => (place === TEXT ? [] : place.split('.'));

const bareOf = (node: ReferredNode): string =>
  node.name === 'humanInputAgentflow' ? decisionOf(node) : (BARE.get(node.name) ?? TEXT);

const contentOf = (node: ReferredNode, { places }: Output): string =>
  node.name === 'humanInputAgentflow' ? decisionOf(node) : places['content']!;

/** Returns the path of the human's comment; without feedback, of the decision. */
const decisionOf = ({ inputs }: ReferredNode): string =>
  inputs['humanInputEnableFeedback'] === true ? TEXT : 'output.decision';

/** Removes the quotes of a member such as `data["a b"]`. */
const withoutQuotes = (name: string): string => /^(["'])(.*)\1$/.exec(name)?.[2] ?? name;
