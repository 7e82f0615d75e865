import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What one render took: its photographs and remarks carry the claim's id. Lists and `meta` are JSON text. */
@Entity('claims')
@Index('claims_session', ['sessionId', 'state'])
@Index('claims_execution', ['executionId'])
@Index('claims_drawing', ['processId'], { where: "state = 'drawing'" })
export class ClaimEntity {
  /** Random, and told to nobody but the caller of the render: it opens the render's progress. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'session_id' })
  sessionId!: string;

  @Column('text', { name: 'flow_ids' })
  flowIds!: string;

  @Column('text')
  state!: ClaimState;

  @Column('text', { name: 'process_id' })
  processId!: string;

  @Column('text', { name: 'execution_id' })
  executionId!: string;

  /** Chosen with the claim, so that a redraw prints the same. */
  @Column('text', { name: 'report_id' })
  reportId!: string;

  /** JSON; null is the session's own pending photographs, else the reports that are read instead. */
  @Column('text', { nullable: true })
  source!: string | null;

  @Column('text')
  meta!: string;

  @Column('integer')
  photographs!: number;

  @Column('integer')
  remarks!: number;

  @Column('text', { name: 'outstanding_areas' })
  outstandingAreas!: string;

  /** Why it was released, for the caller who asks how the render went. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The render's instant: report date and file name follow from it. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'ended_at', nullable: true })
  endedAt!: number | null;
}

/** `drawing` until its report is stored (`settled`) or the render failed (`released`: its photographs are pending again). */
export type ClaimState = 'drawing' | 'settled' | 'released';
