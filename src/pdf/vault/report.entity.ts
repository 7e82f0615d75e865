import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A finished report in the vault: its bytes lie in storage, everything they were made of stands with its claim. */
@Entity('reports')
@Index('reports_claim', ['claimId'], { unique: true })
@Index('reports_session', ['sessionId', 'createdAt'])
export class ReportEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') claimId!: string;
  @Column('text') sessionId!: string;
  /** JSON list of the flows whose photographs are in it. */
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
  /** Photographs that the render took; a comparison takes none. */
  @Column('integer', { default: 0 }) claimed!: number;
  @Column('text') warnings!: string;
  @Column('text') outstandingAreas!: string;
  /** JSON of the size that its pictures were stepped down to, for a redraw; null of a report that needed none. */
  @Column('text', { nullable: true }) prints!: string | null;
  /** The size into which it was asked to fit; null where none was said. */
  @Column('bigint', { nullable: true }) maxBytes!: number | null;
  @Column('bigint') createdAt!: number;
  /** 1 of the first report of a claim; a further edition replaces another report, for a reason. */
  @Column('integer', { default: 1 }) edition!: number;
  @Column('text', { nullable: true }) replaces!: string | null;
  @Column('text', { nullable: true }) editionReason!: string | null;
  /** The revision of the file that signs it, base64: read where it is needed alone. */
  @Column('text', { nullable: true, select: false }) signature?: string | null;
}
