import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A free-text remark recorded by a capture; printed once, in the report of its claim. */
@Entity('remarks')
@Index('remarks_message', ['flowId', 'sessionId', 'messageKey'], {
  unique: true,
  where: 'message_key IS NOT NULL',
})
@Index('remarks_session', ['sessionId', 'flowId', 'claimId'])
@Index('remarks_claim', ['claimId'], { where: 'claim_id IS NOT NULL' })
export class RemarkEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') sessionId!: string;
  @Column('text') areaKey!: string;
  @Column('text') areaName!: string;
  @Column('text') areaType!: string;
  @Column('text') text!: string;
  /** The remark's instant (its call's captureTs, else receipt), epoch milliseconds. */
  @Column('bigint') recordedAt!: number;
  /** Rises within the session, in one sequence with photographs. */
  @Column('bigint') arrival!: number;
  @Column('text', { nullable: true }) messageKey!: string | null;
  @Column('text') executionId!: string;
  /** Null unless it was withdrawn; then it is stored but never counted. */
  @Column('bigint', { nullable: true }) withdrawnAt!: number | null;
  @Column('text', { nullable: true }) claimId!: string | null;
}
