import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RATINGS } from '../../api/chats.js';

/** A user's opinion of one answer. */
@Entity('feedback')
@Index('feedback_chat', ['flowId', 'chatId'])
@Index('feedback_flow', ['flowId', 'createdAt', 'id'])
export class Feedback {
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') chatId!: string;
  /** `chatMessageId` of the answer. */
  @Column('text') messageId!: string;
  @Column('text', { nullable: true }) rating!: (typeof RATINGS)[number] | null;
  @Column('text', { nullable: true }) content!: string | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}
