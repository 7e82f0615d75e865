import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The claim of one render; claimed photographs and remarks have its id. Lists and `meta` are JSON text. */
@Entity('claims')
@Index('claims_session', ['sessionId', 'state'])
@Index('claims_execution', ['executionId'])
@Index('claims_report', ['reportId'], { unique: true })
@Index('claims_replaces', ['replacesClaimId'], {
  unique: true,
  where: "replaces_claim_id IS NOT NULL AND state <> 'released'",
})
@Index('claims_drawing', ['processId'], { where: "state = 'drawing'" })
export class ClaimEntity {
  /** Random, and returned only to the caller of the render: it gives access to the render's progress. */
  @PrimaryColumn('text') id!: string;
  @Column('text') sessionId!: string;
  @Column('text') flowIds!: string;
  @Column('text') state!: ClaimState;
  @Column('text') processId!: string;
  @Column('text') executionId!: string;
  /** Chosen with the claim, so that a redraw prints the same. */
  @Column('text') reportId!: string;
  /** JSON of the requested source without its meta; null for an inspection report of the claimed records. */
  @Column('text', { nullable: true }) source!: string | null;
  @Column('text') meta!: string;
  /** The claim whose report this one replaces; null unless it is a further edition. */
  @Column('text', { nullable: true }) replacesClaimId!: string | null;
  /** JSON of a further `Edition`; null for the first. */
  @Column('text', { nullable: true }) edition!: string | null;
  /** JSON of its `ReportLook`. */
  @Column('text') look!: string;
  @Column('integer') photographs!: number;
  @Column('integer') remarks!: number;
  @Column('text') outstandingAreas!: string;
  @Column('text') photographedBefore!: string;
  /** The reason of its release, for the status of the render. */
  @Column('text', { nullable: true }) failure!: string | null;
  /** The render's instant: report date and file name follow from it. */
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) endedAt!: number | null;
}

/** `drawing` until its report is stored (`settled`) or the render failed (`released`: its photographs are pending again). */
export type ClaimState = 'drawing' | 'settled' | 'released';
