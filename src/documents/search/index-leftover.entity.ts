import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Vectors that are left in the index: a process without the index deleted their chunks. */
@Entity('document_index_leftovers')
export class IndexLeftoverEntity {
  @PrimaryColumn('text') documentId!: string;
  /** The position of the first chunk; the others follow it. */
  @PrimaryColumn('integer') firstPosition!: number;
  @PrimaryColumn('integer') dimensions!: number;
  @Column('integer') count!: number;
}
