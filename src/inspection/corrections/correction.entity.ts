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
  /** Rises within the session, in one sequence with all its records. */
  @Column('bigint') arrival!: number;
  /** The run that made it; null for a call. */
  @Column('text', { nullable: true }) executionId!: string | null;
  /** The id of the run, else of the correction: an undo reverses a whole unit. */
  @Column('text') unit!: string;
  /** 1 for an undo, which cannot be undone. */
  @Column('integer', { default: 0 }) isUndo!: number;
  /** The correction that undid it. */
  @Column('text', { nullable: true }) undoneBy!: string | null;
  /** The claim that holds its subjects, if it belongs to a further edition; `edition` is its number. */
  @Column('text', { nullable: true }) claimId!: string | null;
  @Column('integer', { nullable: true }) edition!: number | null;
}
