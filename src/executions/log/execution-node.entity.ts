import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One node run of an execution's trace. */
@Entity('execution_nodes', { withoutRowid: true })
export class ExecutionNodeEntity {
  @PrimaryColumn('text') executionId!: string;
  @PrimaryColumn('text') runId!: string;
  /** By start, and within one millisecond by arrival. */
  @Column('bigint') position!: number;
  /** JSON of the `TracedNode`, masked and cut. */
  @Column('text') data!: string;
}
