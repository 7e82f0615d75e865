import { Injectable } from '@nestjs/common';
import { credentialIdsOf } from '../../flows/credentials/credential-references.js';
import { CredentialSource } from '../../flows/credentials/credential-source.js';
import { calledFlowsOf } from '../../flows/definition/checks/flow-references.js';
import type { Flow } from '../../flows/definition/flow.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import { literalSecrets } from '../../flows/engine/run-failure.js';
import { FlowStore } from '../../flows/store/flow-store.js';

/** Reads the secrets that texts stored by earlier runs of a flow may contain. */
@Injectable()
export class FlowSecrets {
  constructor(
    private readonly flows: FlowStore,
    private readonly credentials: CredentialSource,
    private readonly kinds: NodeKindRegistry,
  ) {}

  /**
   * Returns the literal secrets of a flow and of the flows that it calls, and those of all credentials that these name.
   * Skips a credential that is missing or cannot be decrypted: the node that needs it fails.
   */
  async read(flow: Flow): Promise<string[]> {
    const reached = new Map([[flow.id, flow]]);
    // The loop also visits the flows that it adds.
    for (const { definition } of reached.values())
      for (const id of calledFlowsOf(definition)) {
        const called = reached.has(id) ? undefined : await this.flows.find(id);
        if (called) reached.set(id, called);
      }
    const flows = [...reached.values()];
    const ids = new Set(flows.flatMap(({ definition }) => credentialIdsOf(definition)));
    const opened = await Promise.allSettled([...ids].map((id) => this.credentials.headers(id)));
    return [
      ...flows.flatMap(({ graph }) => literalSecrets(graph, this.kinds.all)),
      ...opened.flatMap((one) => (one.status === 'fulfilled' ? one.value.secrets : [])),
    ];
  }
}
