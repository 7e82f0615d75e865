import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The announcement of a process under its name; a living process deletes the row of a dead one. */
@Entity('processes')
export class ProcessEntity {
  @PrimaryColumn('text') id!: string;
  /** JSON of `SecretMarks`. */
  @Column('text') secretMarks!: string;
  /** Epoch milliseconds. */
  @Column('bigint') announcedAt!: number;
}
