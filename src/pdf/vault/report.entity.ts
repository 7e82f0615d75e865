import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A finished report. Its bytes are in storage, its contents in its claim. */
@Entity('reports')
@Index('reports_claim', ['claimId'], { unique: true })
@Index('reports_session', ['sessionId', 'createdAt'])
export class ReportEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') claimId!: string;
  @Column('text') sessionId!: string;
  /** JSON list of the ids of the flows whose photographs it shows. */
  @Column('text') flowIds!: string;
  @Column('text') executionId!: string;
  @Column('text') filename!: string;
  @Column('text') storageKey!: string;
  /** The signed list of evidence, beside the file. */
  @Column('text') manifestKey!: string;
  @Column('bigint') bytes!: number;
  @Column('integer') pages!: number;
  @Column('text') sha256!: string;
  /** Photographs in the file. */
  @Column('integer') photographs!: number;
  /** Photographs that the render claimed; a comparison claims none. */
  @Column('integer', { default: 0 }) claimed!: number;
  @Column('text') warnings!: string;
  @Column('text') outstandingAreas!: string;
  /** JSON of the size to which its pictures were stepped down, for a redraw; null if they were not. */
  @Column('text', { nullable: true }) prints!: string | null;
  /** The requested size limit; null if there was none. */
  @Column('bigint', { nullable: true }) maxBytes!: number | null;
  @Column('bigint') createdAt!: number;
  /** 1 for the first report of a claim. A further edition replaces another report, for a reason. */
  @Column('integer', { default: 1 }) edition!: number;
  @Column('text', { nullable: true }) replaces!: string | null;
  @Column('text', { nullable: true }) editionReason!: string | null;
  /** The revision of the file that signs it, in base64. Read only where it is needed. */
  @Column('text', { nullable: true, select: false }) signature?: string | null;
}
