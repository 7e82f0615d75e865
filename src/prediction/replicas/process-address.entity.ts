import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The address of a process for the others. The row of a dead process stays until the next start. */
@Entity('process_addresses')
export class ProcessAddress {
  /** Id of the process in running records. */
  @PrimaryColumn('text') processId!: string;
  /** URL without a trailing slash; empty if the others cannot reach it. */
  @Column('text') url!: string;
}
