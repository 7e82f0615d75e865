import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A free-text remark recorded by a capture; prints once, with the claim that took it. */
@Entity('remarks')
@Index('remarks_message', ['flowId', 'sessionId', 'messageKey'], {
  unique: true,
  where: 'message_key IS NOT NULL',
})
@Index('remarks_session', ['sessionId', 'flowId', 'claimId'])
@Index('remarks_claim', ['claimId'], { where: 'claim_id IS NOT NULL' })
export class RemarkEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'flow_id' }) flowId!: string;
  @Column('text', { name: 'session_id' }) sessionId!: string;
  @Column('text', { name: 'area_key' }) areaKey!: string;
  @Column('text', { name: 'area_name' }) areaName!: string;
  @Column('text', { name: 'area_type' }) areaType!: string;
  @Column('text') text!: string;
  /** The remark's instant (its call's captureTs, else receipt), epoch milliseconds. */
  @Column('bigint', { name: 'recorded_at' }) recordedAt!: number;
  /** Rises within the session, together with the photographs'. */
  @Column('bigint') arrival!: number;
  @Column('text', { name: 'message_key', nullable: true }) messageKey!: string | null;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  @Column('text', { name: 'claim_id', nullable: true }) claimId!: string | null;
}
