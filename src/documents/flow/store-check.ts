import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Fault } from '../../common/service-error.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { Json } from '../../flows/engine/json.js';
import { DefinitionChecks } from '../../flows/store/definition-checks.js';
import { DocumentStoreIds } from '../../flows/tools/document-store-ids.js';
import { DocumentStores } from '../stores/document-stores.js';

/** A place of a definition that names a store. */
interface Named {
  path: string;
  id: string;
}

/** A flow cannot be saved with the id of a missing document store; imports are told which there are. */
@Injectable()
export class StoreCheck implements OnModuleInit {
  constructor(
    private readonly checks: DefinitionChecks,
    private readonly ids: DocumentStoreIds,
    private readonly stores: DocumentStores,
  ) {}

  onModuleInit(): void {
    this.checks.register((definition) => this.faultsOf(definition));
    this.ids.come(() => this.stores.names());
  }

  private async faultsOf(definition: FlowDefinition): Promise<Fault[]> {
    const named = storesIn(definition);
    if (named.length === 0) return [];
    const known = new Set(await this.stores.ids());
    return named
      .filter(({ id }) => !known.has(id))
      .map(({ path, id }) => ({ path, message: `there is no document store "${id}"` }));
  }
}

function storesIn({ nodes }: FlowDefinition): Named[] {
  return nodes.flatMap(({ kind, config = {} }, index) => {
    const path = `nodes.${index}.config`;
    const { tools } = config;
    const inTools = Array.isArray(tools)
      ? tools.flatMap((tool, place) => namedIn(tool, `${path}.tools.${place}`))
      : [];
    return [...(kind === 'retriever' ? listed(config['stores'], path) : namedIn(config, path)), ...inTools];
  });
}

function namedIn(settings: Json, path: string): Named[] {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [];
  return settings['tool'] === 'retrieve' ? listed(settings['stores'], path) : [];
}

const listed = (stores: Json | undefined, path: string): Named[] =>
  Array.isArray(stores)
    ? stores.flatMap((id, place) => (typeof id === 'string' ? [{ path: `${path}.stores.${place}`, id }] : []))
    : [];
