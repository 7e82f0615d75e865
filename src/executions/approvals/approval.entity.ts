import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Decision } from './approval.js';

/** A question at which a run waits for a human, and the decision. Instants are epoch milliseconds. */
@Entity('run_stops')
@Index('run_stops_execution', ['executionId'])
@Index('run_stops_node', ['flowId', 'chatId', 'nodeId'])
@Index('run_stops_open', ['expiresAt'], { where: 'decision IS NULL' })
@Index('run_stops_asking', ['flowId', 'id'], { where: 'decision IS NULL' })
@Index('run_stops_decided', ['id'], { where: 'request_key IS NOT NULL AND decision IS NOT NULL' })
export class ApprovalEntity {
  /** Name given to the caller: `<nodeId>#<random>`. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') chatId!: string;
  /** The waiting record, of the call that began the run or resumed it under its key. */
  @Column('text') executionId!: string;
  /** First execution of the run, which identifies its journal. */
  @Column('text') runId!: string;
  @Column('text') nodeId!: string;
  @Column('text') nodeLabel!: string;
  /** The question shown to the human. */
  @Column('text') text!: string;
  /** JSON of the action that clients draw. */
  @Column('text') action!: string;
  /** The engine's snapshot, sealed; deleted when the run can no longer continue from it. */
  @Column('text', { nullable: true }) snapshot!: string | null;
  /** Blob key of the call that began the run, until the run has ended. */
  @Column('text', { nullable: true }) requestKey!: string | null;
  @Column('bigint') askedAt!: number;
  @Column('bigint') expiresAt!: number;
  @Column('text', { nullable: true }) decision!: Decision['type'] | null;
  /** The human's comment on the decision. */
  @Column('text', { nullable: true }) feedback!: string | null;
  @Column('bigint', { nullable: true }) decidedAt!: number | null;
  /** The execution whose call decided it. */
  @Column('text', { nullable: true }) decidedBy!: string | null;
}
