import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The flow state of a chat between runs. */
@Entity('chat_states')
export class ChatState {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('text') chatId!: string;
  /** JSON object: state name → value. */
  @Column('text') state!: string;
  @Column('bigint') updatedAt!: number;
}
