import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A stored flow. Instants are epoch milliseconds. */
@Entity('flows')
@Index('flows_created', ['createdAt', 'id'])
export class FlowEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  /** JSON text of a checked definition. */
  @Column('text') definition!: string;
  /** Changes with each update; a process's cached copy is valid as long as it is the same. */
  @Column('text') revision!: string;
  /** SHA-256 of the file from which it was last loaded; null for one that an admin created. */
  @Column('text', { nullable: true }) sourceHash!: string | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}
