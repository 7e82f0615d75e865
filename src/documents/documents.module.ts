import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExecutionsModule } from '../executions/executions.module.js';
import { NodeKindRegistry } from '../flows/definition/node-kind-registry.js';
import { FlowsModule } from '../flows/flows.module.js';
import { DefinitionChecks } from '../flows/store/definition-checks.js';
import { DocumentStoreIds } from '../flows/tools/document-store-ids.js';
import { ToolTypes } from '../flows/tools/tool-types.js';
import { DocumentChunkEntity } from './chunks/document-chunk.entity.js';
import { DocumentStoresController } from './document-stores.controller.js';
import { FairExtraction } from './extract/fair-extraction.js';
import { TextExtraction } from './extract/text-extraction.js';
import { FlowRetrieval } from './flow/flow-retrieval.js';
import { retrieveTool } from './flow/retrieve.tool.js';
import { retrieverNode } from './flow/retriever.node.js';
import { storeFaults } from './flow/store-check.js';
import { DocumentJob } from './ingestion/document-job.js';
import { DocumentRows } from './ingestion/document-rows.js';
import { Ingestion } from './ingestion/ingestion.js';
import { DocumentSearch } from './search/document-search.js';
import { ExactSearch } from './search/exact-search.js';
import { IndexLeftoverEntity } from './search/index-leftover.entity.js';
import { IndexUpkeep } from './search/index-upkeep.js';
import { VectorIndexes } from './search/sqlite-vec-index.js';
import { DocumentStoreEntity } from './stores/document-store.entity.js';
import { DocumentStores } from './stores/document-stores.js';
import { DocumentEntity } from './stores/document.entity.js';
import { UploadedDocuments } from './stores/uploaded-documents.js';

/** Document stores: ingestion of documents, and search. */
@Module({
  imports: [
    ExecutionsModule,
    FlowsModule,
    TypeOrmModule.forFeature([DocumentStoreEntity, DocumentEntity, DocumentChunkEntity, IndexLeftoverEntity]),
  ],
  controllers: [DocumentStoresController],
  providers: [
    DocumentStores,
    UploadedDocuments,
    TextExtraction,
    FairExtraction,
    DocumentRows,
    DocumentJob,
    Ingestion,
    VectorIndexes,
    IndexUpkeep,
    ExactSearch,
    DocumentSearch,
    FlowRetrieval,
  ],
})
export class DocumentsModule {
  constructor(
    kinds: NodeKindRegistry,
    tools: ToolTypes,
    checks: DefinitionChecks,
    ids: DocumentStoreIds,
    stores: DocumentStores,
    retrieval: FlowRetrieval,
  ) {
    kinds.register(retrieverNode(retrieval));
    tools.register(retrieveTool(retrieval));
    checks.register((definition) => storeFaults(definition, stores));
    ids.come(() => stores.names());
  }
}
