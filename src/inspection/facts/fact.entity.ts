import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An observation, a reading, keys or an alarm, recorded by a capture. */
@Entity('facts')
@Index('facts_message', ['flowId', 'sessionId', 'messageKey'], {
  unique: true,
  where: 'message_key IS NOT NULL',
})
@Index('facts_session', ['sessionId', 'flowId', 'claimId'])
@Index('facts_claim', ['claimId'], { where: 'claim_id IS NOT NULL' })
export class FactEntity {
  /** UUID version 7. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') sessionId!: string;
  @Column('text') areaKey!: string;
  @Column('text') areaName!: string;
  @Column('text') areaType!: string;
  /** `FactKind`. */
  @Column('text') kind!: string;
  /** JSON of `FactWords`. */
  @Column('text') words!: string;
  /** JSON of the ids of its photographs. */
  @Column('text') photographs!: string;
  /** The call's captureTs, else its receipt, epoch milliseconds. */
  @Column('bigint') recordedAt!: number;
  /** Rises within the session, in one sequence with photographs and remarks. */
  @Column('bigint') arrival!: number;
  @Column('text', { nullable: true }) messageKey!: string | null;
  @Column('text') executionId!: string;
  @Column('text', { nullable: true }) claimId!: string | null;
  /** Epoch milliseconds; null unless it is withdrawn. */
  @Column('bigint', { nullable: true }) withdrawnAt!: number | null;
}
