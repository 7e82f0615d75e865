import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document store: the model that embeds its documents, and the sizes of their chunks. */
@Entity('document_stores')
export class DocumentStoreEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  /** JSON of an `EmbeddingChoice`. */
  @Column('text') embedding!: string;
  /** Characters (UTF-16). */
  @Column('integer') chunkSize!: number;
  @Column('integer') chunkOverlap!: number;
  /** The dimension of its vectors, set with the first of them. */
  @Column('integer', { nullable: true }) dimensions!: number | null;
  /** Rises with each change of the model or the chunk sizes. Documents of an earlier generation are embedded again. */
  @Column('integer') generation!: number;
  /** 1 once it is deleted for callers, while its documents are being deleted. */
  @Column('integer') removed!: number;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}
