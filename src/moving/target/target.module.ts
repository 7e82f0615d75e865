import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource, type EntitySchema, type MixedList } from 'typeorm';
import { ApiKeyEntity } from '../../auth/api-keys/api-key.entity.js';
import { ApiKeys } from '../../auth/api-keys/api-keys.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { CONNECTIONS } from '../../database/connections.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { connectionsOf } from '../../database/open/data-source.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { FlowRetrieval } from '../../documents/flow/flow-retrieval.js';
import { retrieveTool } from '../../documents/flow/retrieve.tool.js';
import { retrieverNode } from '../../documents/flow/retriever.node.js';
import { DocumentStoreEntity } from '../../documents/stores/document-store.entity.js';
import { DocumentStores } from '../../documents/stores/document-stores.js';
import { CredentialSource } from '../../flows/credentials/credential-source.js';
import { CredentialEntity } from '../../flows/credentials/credential.entity.js';
import { Credentials } from '../../flows/credentials/credentials.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import { LanguageModels } from '../../flows/models/language-models.js';
import { BuiltInKinds } from '../../flows/nodes/built-in-kinds.js';
import { FunctionSandbox } from '../../flows/nodes/function/function-sandbox.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { FlowWrites } from '../../flows/store/flow-writes.js';
import { FLOW_ENTITIES } from '../../flows/store/flow.entity.js';
import { BuiltInTools } from '../../flows/tools/built-in-tools.js';
import { McpListings } from '../../flows/tools/mcp-listings.js';
import { ToolTypes } from '../../flows/tools/tool-types.js';
import { ChatFile } from '../../prediction/clients/chat-file.entity.js';
import { Feedback } from '../../prediction/clients/feedback.entity.js';
import { Lead } from '../../prediction/clients/lead.entity.js';
import { ChatState } from '../../prediction/memory/chat-state.entity.js';
import { ChatTurn } from '../../prediction/memory/chat-turn.entity.js';
import { blobStore } from '../../storage/open-store.js';

/** The tables that a move reads and writes. */
export const MOVED_ENTITIES: MixedList<(new () => object) | EntitySchema> = [
  ...[...FLOW_ENTITIES, CredentialEntity, ApiKeyEntity],
  ...[ChatTurn, ChatState, ChatFile, Feedback, Lead],
  DocumentStoreEntity,
];

/** Stands in for searches: a move checks the settings of nodes and tools, and runs none. */
const NO_RETRIEVAL: Pick<FlowRetrieval, 'find'> = {
  find: () => Promise.reject(new Error('a move does not search')),
};

/**
 * The stores that a move writes, without the rest of the service: it loads no files, recovers, sweeps and takes over nothing,
 * and does not announce this process as one of the service.
 */
@Module({})
export class TargetModule {
  constructor(kinds: NodeKindRegistry, tools: ToolTypes) {
    kinds.register(retrieverNode(NO_RETRIEVAL));
    tools.register(retrieveTool(NO_RETRIEVAL));
  }

  static over(config: AppConfig, secrets: Secrets, dataSource: DataSource): DynamicModule {
    return {
      module: TargetModule,
      providers: [
        { provide: AppConfig, useValue: config },
        { provide: Secrets, useValue: secrets },
        { provide: Logger, useValue: new Logger('silent') },
        { provide: CONNECTIONS, useValue: connectionsOf(dataSource) },
        { provide: CredentialSource, useExisting: Credentials },
        ...[Clock, DatabaseReader, WriteGate, blobStore, OutboundHttp, ApiKeys, Credentials],
        ...[FlowStore, FlowWrites, NodeKindRegistry, BuiltInKinds, FunctionSandbox],
        ...[ToolTypes, BuiltInTools, McpListings, LanguageModels],
        DocumentStores,
      ],
    };
  }
}
