import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Contact details of a user of a chat. */
@Entity('leads')
@Index('leads_chat', ['flowId', 'chatId'])
@Index('leads_flow', ['flowId', 'createdAt', 'id'])
export class Lead {
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') chatId!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) email!: string | null;
  @Column('text', { nullable: true }) phone!: string | null;
  @Column('bigint') createdAt!: number;
}
