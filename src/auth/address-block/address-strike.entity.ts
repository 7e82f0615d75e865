import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An address with its two latest misses, or its block. Swept once `expiresAt` has passed. Instants are epoch milliseconds. */
@Entity('address_strikes')
@Index('address_strikes_expiry', ['expiresAt'])
export class AddressStrikeEntity {
  @PrimaryColumn('text') address!: string;
  @Column('bigint', { name: 'earlier_at', nullable: true }) earlierAt!: number | null;
  @Column('bigint', { name: 'latest_at', nullable: true }) latestAt!: number | null;
  @Column('bigint', { name: 'blocked_at', nullable: true }) blockedAt!: number | null;
  @Column('bigint', { name: 'blocked_until', nullable: true }) blockedUntil!: number | null;
  @Column('bigint', { name: 'expires_at' }) expiresAt!: number;
}

/** An unknown id that a client endpoint has counted for this address. */
@Entity('address_misses')
@Index('address_misses_missed', ['missedAt'])
export class AddressMissEntity {
  @PrimaryColumn('text') address!: string;
  @PrimaryColumn('text', { name: 'flow_id_hash' }) flowIdHash!: string;
  @Column('bigint', { name: 'missed_at' }) missedAt!: number;
}
