import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The state of an inspection (contract section 5): the current area, and the one last closed by a remark. */
@Entity('inspection_sessions')
@Index('inspection_sessions_updated', ['updatedAt'])
export class InspectionSessionEntity {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('text') sessionId!: string;
  /** The caller's spelling; null if no area is open. */
  @Column('text', { nullable: true }) currentArea!: string | null;
  /** `areaType` of the call that named it; null if its name alone decides. */
  @Column('text', { nullable: true }) currentAreaType!: string | null;
  @Column('text', { nullable: true }) lastArea!: string | null;
  @Column('text', { nullable: true }) lastAreaType!: string | null;
  /** The closing remark's instant, epoch milliseconds. */
  @Column('bigint', { nullable: true }) lastClosedAt!: number | null;
  /** The highest arrival number in the session. */
  @Column('bigint') arrivals!: number;
  /** The number of its newest correction. */
  @Column('bigint', { default: 0 }) corrections!: number;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}
