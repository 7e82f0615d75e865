import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A change of one member of an inspection's details, or of one area reported absent. */
@Entity('detail_changes')
@Index('detail_changes_session', ['sessionId', 'flowId', 'arrival'])
@Index('detail_changes_claim', ['claimId'], { where: 'claim_id IS NOT NULL' })
export class DetailChangeEntity {
  /** UUID version 7. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') sessionId!: string;
  /** The member of `meta`. */
  @Column('text') name!: string;
  /** The service area that was reported absent; empty for every other member. */
  @Column('text') service!: string;
  /** JSON after the change; null if it was removed. */
  @Column('text', { nullable: true }) value!: string | null;
  /** JSON before the change; null if there was none. */
  @Column('text', { nullable: true }) was!: string | null;
  /** Rises within the session, in one sequence with photographs, remarks, facts and corrections. */
  @Column('bigint') arrival!: number;
  /** The run or call that made it; null for a change by the route of the details. */
  @Column('text', { nullable: true }) executionId!: string | null;
  /** The id of the execution, else of the change: an undo reverses a whole unit. */
  @Column('text') unit!: string;
  /** The claim whose report printed it. */
  @Column('text', { nullable: true }) claimId!: string | null;
  /** The correction that undid it. */
  @Column('text', { nullable: true }) undoneBy!: string | null;
}
