import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A flow as it is stored. Instants are epoch milliseconds. */
@Entity('flows')
@Index('flows_created', ['createdAt', 'id'])
export class FlowEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  /** JSON text of a checked definition. */
  @Column('text')
  definition!: string;

  /** Another one after each change: what a process has parsed is good for as long as this stays. */
  @Column('text')
  revision!: string;

  /** SHA-256 of the file it was last loaded from; null for one that an admin made. */
  @Column('text', { name: 'source_hash', nullable: true })
  sourceHash!: string | null;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at' })
  updatedAt!: number;
}
