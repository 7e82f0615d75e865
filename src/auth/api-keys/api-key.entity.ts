import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that opens flows; only its SHA-256 is kept. A revoked one stays, so that old records still name it. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') hash!: string;
  @Column('bigint', { name: 'created_at' }) createdAt!: number;
  @Column('bigint', { name: 'last_used_at', nullable: true }) lastUsedAt!: number | null;
  @Column('bigint', { name: 'revoked_at', nullable: true }) revokedAt!: number | null;
}
