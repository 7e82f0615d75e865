import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key that opens flows, stored as its SHA-256. Revoked keys stay, so that old records can name them. */
@Entity('api_keys')
@Index('api_keys_hash', ['hash'])
export class ApiKeyEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') hash!: string;
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) lastUsedAt!: number | null;
  @Column('bigint', { nullable: true }) revokedAt!: number | null;
}
