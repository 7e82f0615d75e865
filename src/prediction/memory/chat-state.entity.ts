import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The flow state that a chat keeps between runs. */
@Entity('chat_states')
export class ChatState {
  @PrimaryColumn({ name: 'flow_id', type: 'text' })
  flowId!: string;

  @PrimaryColumn({ name: 'chat_id', type: 'text' })
  chatId!: string;

  /** JSON object: state name → value. */
  @Column({ type: 'text' })
  state!: string;

  @Column({ name: 'updated_at', type: 'bigint' })
  updatedAt!: number;
}
