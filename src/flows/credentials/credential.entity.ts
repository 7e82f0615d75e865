import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What flows name by `credentialId`; `sealed` is its secret, encrypted. */
@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') kind!: string;
  @Column('text') sealed!: string;
  @Column('bigint', { name: 'created_at' }) createdAt!: number;
  @Column('bigint', { name: 'updated_at' }) updatedAt!: number;
}
