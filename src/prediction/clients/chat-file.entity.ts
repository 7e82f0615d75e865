import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A file attached to a chat. */
@Entity('chat_files')
@Index('chat_files_chat', ['flowId', 'chatId'])
export class ChatFile {
  /** Random: with it begins the name that the service issues. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'flow_id', type: 'text' })
  flowId!: string;

  @Column({ name: 'chat_id', type: 'text' })
  chatId!: string;

  /** As the client called it. */
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  mime!: string;

  @Column({ type: 'bigint' })
  bytes!: number;

  @Column({ name: 'blob_key', type: 'text' })
  blobKey!: string;

  @Column({ name: 'created_at', type: 'bigint' })
  createdAt!: number;
}
