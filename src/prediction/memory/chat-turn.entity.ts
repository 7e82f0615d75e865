import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One exchange of a chat: what was asked and what was answered. Written when a run succeeded, never changed. */
@Entity('chat_turns')
export class ChatTurn {
  @PrimaryColumn({ name: 'flow_id', type: 'text' })
  flowId!: string;

  @PrimaryColumn({ name: 'chat_id', type: 'text' })
  chatId!: string;

  /** UUID v7, made when the turn ended; it is the answer's `chatMessageId`. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'execution_id', type: 'text' })
  executionId!: string;

  @Column({ type: 'text' })
  question!: string;

  @Column({ type: 'text' })
  answer!: string;

  /** JSON array of the names and kinds of the files that came with the question; null without any. */
  @Column({ type: 'text', nullable: true })
  uploads!: string | null;

  /** Epoch milliseconds. */
  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;
}
