import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A node run of an execution's trace. */
@Entity('execution_nodes', { withoutRowid: true })
export class ExecutionNodeEntity {
  @PrimaryColumn('text') executionId!: string;
  @PrimaryColumn('text') runId!: string;
  /** Sorts by start, then by arrival. */
  @Column('bigint') position!: number;
  /** JSON of the `TracedNode`, masked and cut. */
  @Column('text') data!: string;
}
