import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One correction of one photograph, remark or fact, or of many (a rename). Only `undoneBy` ever changes. */
@Entity('corrections')
@Index('corrections_session', ['sessionId', 'flowId', 'number'], { unique: true })
@Index('corrections_claim', ['claimId', 'edition'], { where: 'claim_id IS NOT NULL' })
export class CorrectionEntity {
  /** UUID version 7. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') sessionId!: string;
  /** Rises within the session by one. */
  @Column('bigint') number!: number;
  /** Epoch milliseconds. */
  @Column('bigint') madeAt!: number;
  /** A key's name, `admin` or `chat`. */
  @Column('text') madeBy!: string;
  @Column('text', { nullable: true }) reason!: string | null;
  /** Rises within the session, together with those of what is recorded in it. */
  @Column('bigint') arrival!: number;
  /** The run that made it; null where a call did. */
  @Column('text', { nullable: true }) executionId!: string | null;
  /** The run, else the correction itself: everything of one unit is taken back together. */
  @Column('text') unit!: string;
  /** 1: it takes a unit back, and is never taken back itself. */
  @Column('integer', { default: 0 }) isUndo!: number;
  /** The correction that took it back: the one member that changes. */
  @Column('text', { nullable: true }) undoneBy!: string | null;
  /** Of the correction of a further edition: the claim that holds its subjects, and the edition. */
  @Column('text', { nullable: true }) claimId!: string | null;
  @Column('integer', { nullable: true }) edition!: number | null;
}
