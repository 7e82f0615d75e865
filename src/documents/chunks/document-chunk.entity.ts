import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A piece of a document's text that is embedded as one vector. */
@Entity('document_chunks')
export class DocumentChunkEntity {
  @PrimaryColumn('text') documentId!: string;
  /** From 0, in the order of the text. */
  @PrimaryColumn('integer') position!: number;
  @Column('text') text!: string;
}
