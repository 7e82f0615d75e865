import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A file attached to a chat. */
@Entity('chat_files')
@Index('chat_files_chat', ['flowId', 'chatId'])
export class ChatFile {
  /** Random: with it begins the name that the service issues. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') chatId!: string;
  /** As the client called it. */
  @Column('text') name!: string;
  @Column('text') mime!: string;
  @Column('bigint') bytes!: number;
  @Column('text') blobKey!: string;
  @Column('bigint') createdAt!: number;
}
