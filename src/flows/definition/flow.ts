import type { FlowVersionName } from '../../api/flow-terms.js';
import type { AccessRules } from '../../api/flows.js';
import { sha256Hex } from '../../common/secrets/constant-time.js';
import { compileGraph, type FlowGraph } from '../engine/flow-graph.js';
import type { NodeKinds } from '../engine/node-kind.js';
import { accessOf, contentOf, type FlowContent, type FlowDefinition, settingsOf } from './flow-definition.js';

/** A stored flow; all calls share one object for each revision. */
export class Flow {
  readonly name: string;
  readonly access: AccessRules;
  /** Credits of one run. */
  readonly price: number;
  /** The account that its runs are charged to. */
  readonly account: string;
  private compiled: FlowGraph | undefined;
  private hash: string | undefined;
  private streams: boolean | undefined;

  constructor(
    readonly id: string,
    /** Changes with each change of the published definition or the settings. */
    readonly revision: string,
    readonly definition: FlowDefinition,
    private readonly kinds: NodeKinds,
    readonly version: FlowVersionName = 1,
  ) {
    this.name = definition.name;
    this.access = accessOf(definition);
    this.price = definition.price ?? 1;
    this.account = definition.account ?? 'default';
  }

  /** Names the versioned part of the definition: stored answers of models hold for this one only. */
  get contentHash(): string {
    return (this.hash ??= sha256Hex(JSON.stringify(contentOf(this.definition))).slice(0, 32));
  }

  /** Returns this flow, with its settings, at another version. */
  at(version: FlowVersionName, content: FlowContent): Flow {
    const definition = { ...settingsOf(this.definition), ...content };
    return new Flow(this.id, this.revision, definition, this.kinds, version);
  }

  /** The graph, compiled at the first run. */
  get graph(): FlowGraph {
    return (this.compiled ??= compileGraph(this.definition));
  }

  /** True if a call that asks for a stream gets one (contract section 3). */
  get streamable(): boolean {
    return (this.streams ??= isStreamable(this.graph, this.kinds));
  }
}

/** Returns whether a node without outgoing edges is of a streaming kind. */
export function isStreamable(graph: FlowGraph, kinds: NodeKinds): boolean {
  return graph.leaves.some((leaf) => {
    const kind = kinds.get(leaf.kind);
    if (!kind || typeof kind.streams === 'boolean') return kind?.streams ?? false;
    const config = kind.config.safeParse(leaf.config);
    return config.success && kind.streams(config.data);
  });
}
