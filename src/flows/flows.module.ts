import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnnouncedSecrets } from '../database/presence/announced-secrets.js';
import { CredentialSource } from './credentials/credential-source.js';
import { CredentialEntity } from './credentials/credential.entity.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { Credentials } from './credentials/credentials.js';
import { NodeKindRegistry } from './definition/node-kind-registry.js';
import { Rehearsals } from './definition/rehearsals.js';
import { FlowImportsController } from './import/files/flow-imports.controller.js';
import { FlowImports } from './import/files/flow-imports.js';
import { LanguageModels } from './models/language-models.js';
import { BuiltInKinds } from './nodes/built-in-kinds.js';
import { FunctionSandbox } from './nodes/function/function-sandbox.js';
import { DefinitionChecks } from './store/definition-checks.js';
import { FlowDraftsController } from './store/flow-drafts.controller.js';
import { FlowDrafts } from './store/flow-drafts.js';
import { FlowFiles } from './store/flow-files.js';
import { FlowStore } from './store/flow-store.js';
import { FlowVersionsController } from './store/flow-versions.controller.js';
import { FlowVersions } from './store/flow-versions.js';
import { FlowWrites } from './store/flow-writes.js';
import { FLOW_ENTITIES } from './store/flow.entity.js';
import { FlowsController } from './store/flows.controller.js';
import { RunnableVersions } from './store/runnable-versions.js';
import { SaveChecks } from './store/save-checks.js';
import { BuiltInTools } from './tools/built-in-tools.js';
import { DocumentStoreIds } from './tools/document-store-ids.js';
import { McpListings } from './tools/mcp-listings.js';
import { mcpWarnings } from './tools/mcp-warnings.js';
import { ToolTypes } from './tools/tool-types.js';

/** Flow definitions, their store, and the kinds of nodes that flows are made of. */
@Module({
  imports: [TypeOrmModule.forFeature([...FLOW_ENTITIES, CredentialEntity])],
  controllers: [
    ...[FlowImportsController, FlowsController, FlowDraftsController, FlowVersionsController],
    CredentialsController,
  ],
  providers: [
    FlowStore,
    FlowWrites,
    FlowDrafts,
    FlowVersions,
    FlowFiles,
    DefinitionChecks,
    SaveChecks,
    RunnableVersions,
    FlowImports,
    NodeKindRegistry,
    Rehearsals,
    BuiltInKinds,
    FunctionSandbox,
    ToolTypes,
    DocumentStoreIds,
    BuiltInTools,
    McpListings,
    LanguageModels,
    Credentials,
    { provide: CredentialSource, useExisting: Credentials },
  ],
  exports: [
    Credentials,
    FlowStore,
    FlowWrites,
    FlowDrafts,
    SaveChecks,
    RunnableVersions,
    DefinitionChecks,
    NodeKindRegistry,
    Rehearsals,
    ToolTypes,
    DocumentStoreIds,
    LanguageModels,
    CredentialSource,
  ],
})
export class FlowsModule {
  constructor(
    checks: DefinitionChecks,
    listings: McpListings,
    credentials: Credentials,
    announced: AnnouncedSecrets,
  ) {
    checks.registerDoubt(mcpWarnings(listings, credentials));
    announced.onCheck(() => credentials.keyFault());
  }
}
