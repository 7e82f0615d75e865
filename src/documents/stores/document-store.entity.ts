import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document store: which model embeds its documents, and how they are cut into chunks. */
@Entity('document_stores')
export class DocumentStoreEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  /** JSON of an `EmbeddingChoice`. */
  @Column('text') embedding!: string;
  /** Characters (UTF-16). */
  @Column('integer') chunkSize!: number;
  @Column('integer') chunkOverlap!: number;
  /** Of its vectors, once there is one: the model must not answer others. */
  @Column('integer', { nullable: true }) dimensions!: number | null;
  /** Rises with each change of the model or the chunks: documents of an earlier one are embedded again. */
  @Column('integer') generation!: number;
  /** 1: it is gone for everybody; its documents are being deleted. */
  @Column('integer') removed!: number;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}
