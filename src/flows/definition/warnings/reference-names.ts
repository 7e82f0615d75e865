import type { Json } from '../../engine/json.js';
import type { NodeKinds } from '../../engine/node-kind.js';
import { FLOW_NAMES } from '../../engine/run-scope.js';
import { RUN_WORDS } from '../../engine/surroundings.js';
import type { Reference } from '../../engine/template.js';
import type { FlowDefinition } from '../flow-definition.js';

/** The context of a text, which decides which names it can read. */
export interface TextPlace {
  isInIteration: boolean;
  /** In `updateState`: the node whose own result `{{output}}` is. */
  outputOf?: string;
  /** Within a tool: the parameters that it declares. */
  args?: readonly string[];
}

/** The reason, a clause, why a reference can have no value. */
export interface ReferenceFault {
  /** `unknown_reference` when absent. */
  code?: string;
  reason: string;
  /** The known names to search for a similar one, and the spelling of the reference with it. */
  near?: { name: string; known: ReadonlySet<string>; spelt: (name: string) => string };
}

/** The form of names; other texts in double braces, such as `{{ a, b }}`, are not references. */
const NAME = /^\$?[\p{L}\p{N}_-]+$/u;

/** The names that the texts of a flow can read (the engine's README lists them). */
export class ReferenceNames {
  /** Nodes, with the members of their outputs. */
  private readonly outputs: ReadonlyMap<string, OutputMembers>;
  private readonly vars: ReadonlySet<string>;
  private readonly state: ReadonlySet<string>;
  /** The fields of the form; undefined when they are not known. */
  private readonly fields: ReadonlySet<string> | undefined;
  private readonly hasForm: boolean;
  /** Names with which a reference may begin, except those with a `$`. */
  private readonly roots: ReadonlySet<string>;

  constructor(definition: FlowDefinition, kinds: NodeKinds) {
    const { nodes, vars = {} } = definition;
    this.outputs = new Map(
      nodes.map(({ id, kind, config = {} }) => [
        id,
        outputMembersOf(kinds.get(kind)?.outputMembers?.(config)),
      ]),
    );
    this.roots = new Set([...RUN_WORDS, ...this.outputs.keys(), 'uploads']);
    this.vars = new Set(Object.keys(vars));
    this.state = new Set(nodes.flatMap(stateNames));
    const start = nodes.find(({ kind }) => kind === 'start')?.config ?? {};
    this.hasForm = start['inputType'] === 'form';
    this.fields = fieldsOf(start['form']);
  }

  faultOf({ root, path }: Reference, place: TextPlace): ReferenceFault | undefined {
    const [first, second] = path;
    switch (root) {
      case '$flow':
        return first === 'state' ? this.stateFault(second) : flowFault(first);
      case '$vars':
        return this.variableFault(first);
      case '$form':
        return this.formFault(first);
      case '$iteration':
        return place.isInIteration ? undefined : fact('the node is not part of an iteration');
      case '$args':
        return argumentFault(first, place.args);
      case 'uploads':
        return undefined;
      default:
        return this.nameFault(root, path, place);
    }
  }

  /** Warns of an unknown variable with a code of its own, because a caller may send it. */
  private variableFault(name: string | undefined): ReferenceFault | undefined {
    if (name !== undefined && this.vars.has(name)) return undefined;
    const unknown = fault('$vars', name, this.vars, (shown) =>
      shown === ''
        ? '$vars alone names no variable'
        : `the flow has no variable "${shown}", so it has a value only if a caller sends one`,
    );
    return { ...unknown, code: 'unknown_variable' };
  }

  private stateFault(name: string | undefined): ReferenceFault | undefined {
    if (name === undefined || this.state.has(name)) return undefined;
    return fault('$flow.state', name, this.state, (shown) => `nothing in the flow sets the state "${shown}"`);
  }

  private formFault(name: string | undefined): ReferenceFault | undefined {
    if (!this.hasForm) return fact('the flow does not begin with a form');
    if (name === undefined || !this.fields || this.fields.has(name)) return undefined;
    return fault('$form', name, this.fields, (shown) => `the form has no field "${shown}"`);
  }

  private nameFault(root: string, path: readonly string[], place: TextPlace): ReferenceFault | undefined {
    if (root === 'output' && place.outputOf !== undefined)
      return this.outputFault('output', path, place.outputOf);
    if (this.outputs.has(root)) {
      if (path[0] === 'output') return this.outputFault(`${root}.output`, path.slice(1), root);
      return path.length === 0
        ? undefined
        : {
            reason: `of a node there are only {{${root}}} and {{${root}.output}}`,
            near: { name: root, known: new Set([root]), spelt: () => [root, 'output', ...path].join('.') },
          };
    }
    if (RUN_WORDS.has(root)) return path.length === 0 ? undefined : fact(`"${root}" has no members`);
    if (!NAME.test(root)) return undefined;
    const reason =
      root === 'output'
        ? 'outside of updateState there is no "output"'
        : `there is no node "${cut(root)}", and nothing else has this name`;
    const spelt = (name: string) => (this.outputs.has(name) ? [name, ...path].join('.') : name);
    return { reason, near: { name: root, known: this.roots, spelt } };
  }

  /** Checks a `path` within the output of a node; `owner` is the beginning of the reference. */
  private outputFault(owner: string, path: readonly string[], nodeId: string): ReferenceFault | undefined {
    const members = this.outputs.get(nodeId);
    const [first] = path;
    if (members === undefined || first === undefined) return undefined;
    const isList = members === 'list';
    if (isList ? LIST_MEMBER.test(first) : members.has(first)) return undefined;
    const known: ReadonlySet<string> = isList ? new Set(['length', 'inWords']) : members;
    // A path of another service may hold a member that stands deeper there.
    const deeper = path.findIndex((name) => known.has(name));
    const at = Math.max(deeper, 0);
    const spelt = (meant: string) => [owner, meant, ...path.slice(at + 1)].join('.');
    return {
      reason: isList
        ? `the output of "${cut(nodeId)}" is a list, whose members are numbers`
        : `the output of "${cut(nodeId)}" has no "${cut(first)}"`,
      near: { name: path[at]!, known, spelt },
    };
  }
}

type OutputMembers = ReadonlySet<string> | 'list' | undefined;

const outputMembersOf = (members: readonly string[] | 'list' | undefined): OutputMembers =>
  members === undefined || members === 'list' ? members : new Set(members);

/** A member of a list that `valueAt` reads. */
const LIST_MEMBER = /^(?:\d+|length|inWords)$/;

const cut = (name: string): string => name.slice(0, 100);

const fact = (reason: string): ReferenceFault => ({ reason });

/** The fault of an unknown member. */
const fault = (
  owner: string,
  name: string | undefined,
  known: ReadonlySet<string>,
  reason: (name: string) => string,
): ReferenceFault => ({
  reason: reason(cut(name ?? '')),
  ...(name === undefined ? {} : { near: { name, known, spelt: (meant) => `${owner}.${meant}` } }),
});

const flowFault = (name: string | undefined): ReferenceFault | undefined =>
  name !== undefined && FLOW_NAMES.has(name)
    ? undefined
    : fault('$flow', name, FLOW_NAMES, (shown) => `a flow has no "${shown}"`);

function argumentFault(name: string | undefined, declared?: readonly string[]): ReferenceFault | undefined {
  if (!declared) return fact('there are arguments only within a tool');
  if (name === undefined || declared.includes(name)) return undefined;
  return fault('$args', name, new Set(declared), (shown) => `the tool has no parameter "${shown}"`);
}

/** Returns the state names that a node may set by its `state` or `updateState`. */
function stateNames({ kind, config = {} }: FlowDefinition['nodes'][number]): string[] {
  const own = kind === 'start' || kind === 'set-state' ? membersOf(config['state']) : [];
  return [...own, ...membersOf(config['updateState'])];
}

const membersOf = (value: Json | undefined): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

function fieldsOf(form: Json | undefined): ReadonlySet<string> | undefined {
  if (typeof form !== 'object' || form === null || Array.isArray(form)) return undefined;
  const { inputs } = form;
  if (!Array.isArray(inputs)) return undefined;
  const names = inputs.map((input) =>
    typeof input === 'object' && input !== null && !Array.isArray(input) ? input['name'] : undefined,
  );
  return names.every((name) => typeof name === 'string') ? new Set(names) : undefined;
}
