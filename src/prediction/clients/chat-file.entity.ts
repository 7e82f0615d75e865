import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A file attached to a chat. */
@Entity('chat_files')
@Index('chat_files_chat', ['flowId', 'chatId'])
export class ChatFile {
  /** A random id, with which the issued name begins. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') chatId!: string;
  /** Name given by the client. */
  @Column('text') name!: string;
  @Column('text') mime!: string;
  @Column('bigint') bytes!: number;
  @Column('text') blobKey!: string;
  @Column('bigint') createdAt!: number;
}
