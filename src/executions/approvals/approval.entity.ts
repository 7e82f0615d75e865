import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Decision } from './approval.js';

/** A question to a human at which a run stopped, and the decision. Instants are epoch milliseconds. */
@Entity('run_stops')
@Index('run_stops_execution', ['executionId'])
@Index('run_stops_node', ['flowId', 'chatId', 'nodeId'])
@Index('run_stops_open', ['expiresAt'], { where: 'decision IS NULL' })
@Index('run_stops_asking', ['flowId', 'id'], { where: 'decision IS NULL' })
@Index('run_stops_decided', ['id'], { where: 'request_key IS NOT NULL AND decision IS NOT NULL' })
export class ApprovalEntity {
  /** The name that the caller was given: `<nodeId>#<random>`. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') chatId!: string;
  /** The record that waits: of the call that began the run, or continued it under its key. */
  @Column('text') executionId!: string;
  /** The first execution of the run, by which its journal identifies it. */
  @Column('text') runId!: string;
  @Column('text') nodeId!: string;
  @Column('text') nodeLabel!: string;
  /** The question, as the human reads it. */
  @Column('text') text!: string;
  /** JSON, as clients draw it. */
  @Column('text') action!: string;
  /** The engine's snapshot, sealed; deleted when the run can no longer continue from here. */
  @Column('text', { nullable: true }) snapshot!: string | null;
  /** The call that began the run, in the store, until the run has ended. */
  @Column('text', { nullable: true }) requestKey!: string | null;
  @Column('bigint') askedAt!: number;
  @Column('bigint') expiresAt!: number;
  @Column('text', { nullable: true }) decision!: Decision['type'] | null;
  /** The human's words beside the decision. */
  @Column('text', { nullable: true }) feedback!: string | null;
  @Column('bigint', { nullable: true }) decidedAt!: number | null;
  /** The execution whose call decided it. */
  @Column('text', { nullable: true }) decidedBy!: string | null;
}
