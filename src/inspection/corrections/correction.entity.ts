import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One correction of one photograph, remark or fact, or of many (a rename). Never changed. */
@Entity('corrections')
@Index('corrections_session', ['sessionId', 'flowId', 'number'], { unique: true })
@Index('corrections_claim', ['claimId', 'edition'], { where: 'claim_id IS NOT NULL' })
@Index('corrections_undoes', ['undoes'], { unique: true, where: 'undoes IS NOT NULL' })
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
  /** The correction that this one reverses. */
  @Column('text', { nullable: true }) undoes!: string | null;
  /** The run that made it; null where a call did. */
  @Column('text', { nullable: true }) executionId!: string | null;
  /** Of the correction of a further edition: the claim that holds its subjects, and the edition. */
  @Column('text', { nullable: true }) claimId!: string | null;
  @Column('integer', { nullable: true }) edition!: number | null;
}
