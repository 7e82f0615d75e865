import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An address with its two latest misses, or its block. Deleted after `expiresAt`. Instants are epoch milliseconds. */
@Entity('address_strikes')
@Index('address_strikes_expiry', ['expiresAt'])
export class AddressStrikeEntity {
  @PrimaryColumn('text') address!: string;
  @Column('bigint', { nullable: true }) earlierAt!: number | null;
  @Column('bigint', { nullable: true }) latestAt!: number | null;
  @Column('bigint', { nullable: true }) blockedAt!: number | null;
  @Column('bigint', { nullable: true }) blockedUntil!: number | null;
  @Column('bigint') expiresAt!: number;
}

/** An unknown id that was counted at a client endpoint for this address. */
@Entity('address_misses')
@Index('address_misses_missed', ['missedAt'])
export class AddressMissEntity {
  @PrimaryColumn('text') address!: string;
  @PrimaryColumn('text') flowIdHash!: string;
  @Column('bigint') missedAt!: number;
}
