import { Injectable } from '@nestjs/common';
import type { NodeKind, NodeKinds } from '../engine/node-kind.js';

/**
 * The kinds of nodes that this version runs. Upper modules register theirs (`capture`, `render`) when they start, before
 * any flow is loaded.
 */
@Injectable()
export class NodeKindRegistry {
  private readonly byName = new Map<string, NodeKind>();

  /** The kinds by name; the map grows as kinds are registered. */
  get all(): NodeKinds {
    return this.byName;
  }

  register<Config>(kind: NodeKind<Config>): void {
    if (this.byName.has(kind.kind)) throw new Error(`The node kind "${kind.kind}" is registered twice.`);
    this.byName.set(kind.kind, kind);
  }
}
