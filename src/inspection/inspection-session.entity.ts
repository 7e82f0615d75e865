import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Where an inspection stands (contract section 5): the area being inspected, and the one a remark closed last. */
@Entity('inspection_sessions')
@Index('inspection_sessions_updated', ['updatedAt'])
export class InspectionSessionEntity {
  @PrimaryColumn('text', { name: 'flow_id' }) flowId!: string;
  @PrimaryColumn('text', { name: 'session_id' }) sessionId!: string;
  /** As it was spelt; null when no area is open. */
  @Column('text', { name: 'current_area', nullable: true }) currentArea!: string | null;
  /** `areaType` of the call that named it; null where its name alone decides. */
  @Column('text', { name: 'current_area_type', nullable: true }) currentAreaType!: string | null;
  @Column('text', { name: 'last_area', nullable: true }) lastArea!: string | null;
  @Column('text', { name: 'last_area_type', nullable: true }) lastAreaType!: string | null;
  /** The closing remark's instant, epoch milliseconds. */
  @Column('bigint', { name: 'last_closed_at', nullable: true }) lastClosedAt!: number | null;
  /** How many photographs and remarks were given a number of arrival. */
  @Column('bigint') arrivals!: number;
  @Column('bigint', { name: 'created_at' }) createdAt!: number;
  @Column('bigint', { name: 'updated_at' }) updatedAt!: number;
}
