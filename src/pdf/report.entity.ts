import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A finished report in the vault: its bytes lie in storage, everything they were made of stands with its claim. */
@Entity('reports')
@Index('reports_claim', ['claimId'], { unique: true })
@Index('reports_session', ['sessionId', 'createdAt'])
export class ReportEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'claim_id' })
  claimId!: string;

  @Column('text', { name: 'session_id' })
  sessionId!: string;

  /** JSON list of the flows whose photographs are in it. */
  @Column('text', { name: 'flow_ids' })
  flowIds!: string;

  @Column('text', { name: 'execution_id' })
  executionId!: string;

  @Column('text')
  filename!: string;

  @Column('text', { name: 'storage_key' })
  storageKey!: string;

  /** The signed list of evidence, beside the file. */
  @Column('text', { name: 'manifest_key' })
  manifestKey!: string;

  @Column('bigint')
  bytes!: number;

  @Column('integer')
  pages!: number;

  @Column('text')
  sha256!: string;

  /** Photographs in the file. */
  @Column('integer')
  photographs!: number;

  /** Photographs that the render took; a comparison takes none. */
  @Column('integer', { default: 0 })
  claimed!: number;

  @Column('text')
  warnings!: string;

  @Column('text', { name: 'outstanding_areas' })
  outstandingAreas!: string;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
