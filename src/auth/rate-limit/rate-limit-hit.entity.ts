import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A call that a rate limit has accepted; swept once no window can hold it. */
@Entity('rate_limit_hits')
@Index('rate_limit_hits_bucket', ['bucket', 'countedAt'])
@Index('rate_limit_hits_expiry', ['expiresAt'])
export class RateLimitHitEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') bucket!: string;
  @Column('bigint', { name: 'counted_at' }) countedAt!: number;
  @Column('bigint', { name: 'expires_at' }) expiresAt!: number;
}
