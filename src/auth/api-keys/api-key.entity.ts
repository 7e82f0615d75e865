import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that opens flows; only its SHA-256 is kept. A revoked one stays, so that old records still name it. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') hash!: string;
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) lastUsedAt!: number | null;
  @Column('bigint', { nullable: true }) revokedAt!: number | null;
}
