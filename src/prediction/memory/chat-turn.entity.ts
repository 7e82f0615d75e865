import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An exchange of a chat: question and answer. Written when a run succeeded, never changed. An imported one may lack its
 * question or its answer, whose id is then null.
 */
@Entity('chat_turns')
@Index('chat_turns_moved_answer', ['answerId'], { where: 'answer_id IS NOT NULL' })
export class ChatTurn {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('text') chatId!: string;
  /** UUID v7 of the end of the turn; the answer's `chatMessageId`, unless `answerId` is set. */
  @PrimaryColumn('text') id!: string;
  @Column('text') executionId!: string;
  @Column('text') question!: string;
  @Column('text') answer!: string;
  /** JSON array of names and kinds of the question's files; null without any. */
  @Column('text', { nullable: true }) uploads!: string | null;
  /** Execution whose exchange this one follows; null for the one before it in the chat. */
  @Column('text', { nullable: true }) follows!: string | null;
  /** Epoch milliseconds. */
  @Column('bigint') createdAt!: number;
  /** Original ids of imported messages; both null if the turn was made here. */
  @Column('text', { nullable: true }) questionId!: string | null;
  @Column('text', { nullable: true }) answerId!: string | null;
  /** Time of the question (epoch ms), if no execution of this service has it. */
  @Column('bigint', { nullable: true }) askedAt!: number | null;
}
