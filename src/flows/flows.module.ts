import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialEntity } from './credentials/credential.entity.js';
import { Credentials } from './credentials/credentials.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { DefinitionChecks } from './definition/definition-checks.js';
import { FlowEntity } from './definition/flow.entity.js';
import { FlowFiles } from './definition/flow-files.js';
import { FlowStore } from './definition/flow-store.js';
import { FlowsController } from './definition/flows.controller.js';
import { CredentialSource } from './models/credential-source.js';
import { LanguageModels } from './models/language-models.js';
import { NodeKindRegistry } from './nodes/node-kind-registry.js';
import { BuiltInKinds } from './nodes/node-kinds.js';

/** What a flow is, where it is kept, and the kinds of nodes it runs. */
@Module({
  imports: [TypeOrmModule.forFeature([FlowEntity, CredentialEntity])],
  controllers: [FlowsController, CredentialsController],
  providers: [
    FlowStore,
    FlowFiles,
    DefinitionChecks,
    NodeKindRegistry,
    BuiltInKinds,
    LanguageModels,
    Credentials,
    { provide: CredentialSource, useExisting: Credentials },
  ],
  exports: [Credentials, FlowStore, DefinitionChecks, NodeKindRegistry, LanguageModels, CredentialSource],
})
export class FlowsModule {}
