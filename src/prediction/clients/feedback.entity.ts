import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a user thinks of one answer. */
@Entity('feedback')
@Index('feedback_chat', ['flowId', 'chatId'])
export class Feedback {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'flow_id', type: 'text' })
  flowId!: string;

  @Column({ name: 'chat_id', type: 'text' })
  chatId!: string;

  /** `chatMessageId` of the answer. */
  @Column({ name: 'message_id', type: 'text' })
  messageId!: string;

  /** `THUMBS_UP` or `THUMBS_DOWN`. */
  @Column({ type: 'text', nullable: true })
  rating!: string | null;

  @Column({ type: 'text', nullable: true })
  content!: string | null;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;

  @Column({ name: 'updated_at', type: 'bigint' })
  updatedAt!: number;
}
