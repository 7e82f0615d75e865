import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Vectors that are in the index alone: a process that had no index deleted their chunks. */
@Entity('document_index_leftovers')
export class IndexLeftoverEntity {
  @PrimaryColumn('text') documentId!: string;
  /** Of the first chunk; the others follow it. */
  @PrimaryColumn('integer') firstPosition!: number;
  @PrimaryColumn('integer') dimensions!: number;
  @Column('integer') count!: number;
}
