import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An announcement of a process under its name; the row of a dead one stays until a living one finds it gone. */
@Entity('processes')
export class ProcessEntity {
  @PrimaryColumn('text') id!: string;
  /** JSON of `SecretMarks`. */
  @Column('text') secretMarks!: string;
  /** Epoch milliseconds. */
  @Column('bigint') announcedAt!: number;
}
