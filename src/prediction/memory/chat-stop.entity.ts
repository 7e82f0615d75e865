import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A run of a chat that waits for a human: what a later call needs to go on. The latest stop of a chat counts. */
@Entity('chat_stops')
export class ChatStop {
  @PrimaryColumn({ name: 'flow_id', type: 'text' })
  flowId!: string;

  @PrimaryColumn({ name: 'chat_id', type: 'text' })
  chatId!: string;

  /** The execution that stopped. */
  @Column({ name: 'execution_id', type: 'text' })
  executionId!: string;

  /** The engine's snapshot, as JSON. */
  @Column({ type: 'text' })
  snapshot!: string;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;
}
