import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One exchange of a chat: what was asked and what was answered. Written when a run succeeded, never changed. One that was
 * moved here from another program may lack its question or its answer, whose id is null then.
 */
@Entity('chat_turns')
@Index('chat_turns_moved_answer', ['answerId'], { where: 'answer_id IS NOT NULL' })
export class ChatTurn {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('text') chatId!: string;
  /** UUID v7, made when the turn ended; it is the answer's `chatMessageId`, unless `answerId` is. */
  @PrimaryColumn('text') id!: string;
  @Column('text') executionId!: string;
  @Column('text') question!: string;
  @Column('text') answer!: string;
  /** JSON array of the names and kinds of the files that came with the question; null without any. */
  @Column('text', { nullable: true }) uploads!: string | null;
  /** The execution whose exchange this one follows; null: the one before it in the chat. */
  @Column('text', { nullable: true }) follows!: string | null;
  /** Epoch milliseconds. */
  @Column('bigint') createdAt!: number;
  /** The ids that the messages had elsewhere. Both are null of a turn that was made here. */
  @Column('text', { nullable: true }) questionId!: string | null;
  @Column('text', { nullable: true }) answerId!: string | null;
  /** Epoch milliseconds, where no execution of this service tells when the question came. */
  @Column('bigint', { nullable: true }) askedAt!: number | null;
}
