import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How the user of a chat wants to be reached. */
@Entity('leads')
@Index('leads_chat', ['flowId', 'chatId'])
export class Lead {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'flow_id', type: 'text' })
  flowId!: string;

  @Column({ name: 'chat_id', type: 'text' })
  chatId!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text', nullable: true })
  phone!: string | null;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;
}
