import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The claim of one render: its photographs and remarks carry the claim's id. Lists and `meta` are JSON text. */
@Entity('claims')
@Index('claims_session', ['sessionId', 'state'])
@Index('claims_execution', ['executionId'])
@Index('claims_replaces', ['replacesClaimId'], {
  unique: true,
  where: "replaces_claim_id IS NOT NULL AND state <> 'released'",
})
@Index('claims_drawing', ['processId'], { where: "state = 'drawing'" })
export class ClaimEntity {
  /** Random, and returned to nobody but the caller of the render: it opens the render's progress. */
  @PrimaryColumn('text') id!: string;
  @Column('text') sessionId!: string;
  @Column('text') flowIds!: string;
  @Column('text') state!: ClaimState;
  @Column('text') processId!: string;
  @Column('text') executionId!: string;
  /** Chosen with the claim, so that a redraw prints the same. */
  @Column('text') reportId!: string;
  /** JSON: what the render was asked for, but its meta; null is an inspection report of what was taken. */
  @Column('text', { nullable: true }) source!: string | null;
  @Column('text') meta!: string;
  /** Of a further edition: the claim whose report it replaces. */
  @Column('text', { nullable: true }) replacesClaimId!: string | null;
  /** JSON of a further `Edition`; null is the first. */
  @Column('text', { nullable: true }) edition!: string | null;
  /** JSON of its `ReportLook`. */
  @Column('text') look!: string;
  @Column('integer') photographs!: number;
  @Column('integer') remarks!: number;
  @Column('text') outstandingAreas!: string;
  @Column('text') settledBefore!: string;
  /** Why it was released, for the caller who asks how the render went. */
  @Column('text', { nullable: true }) failure!: string | null;
  /** The render's instant: report date and file name follow from it. */
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) endedAt!: number | null;
}

/** `drawing` until its report is stored (`settled`) or the render failed (`released`: its photographs are pending again). */
export type ClaimState = 'drawing' | 'settled' | 'released';
