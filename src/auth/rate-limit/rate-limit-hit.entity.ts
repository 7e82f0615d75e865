import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A call accepted by a rate limit. Deleted once it is outside every window. */
@Entity('rate_limit_hits')
@Index('rate_limit_hits_counted', ['bucket', 'countedAt', 'nth'])
@Index('rate_limit_hits_expiry', ['expiresAt'])
export class RateLimitHitEntity {
  @PrimaryColumn('text') bucket!: string;
  /** Counts 1, 2, 3 … in the order of acceptance. */
  @PrimaryColumn('bigint') nth!: number;
  @Column('bigint') countedAt!: number;
  @Column('bigint') expiresAt!: number;
}
