import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the other processes reach one; the row of a dead one stays until the next start. */
@Entity('process_addresses')
export class ProcessAddress {
  /** Its name in running records. */
  @PrimaryColumn('text') processId!: string;
  /** Without a slash at its end; empty where the others cannot reach it. */
  @Column('text') url!: string;
}
