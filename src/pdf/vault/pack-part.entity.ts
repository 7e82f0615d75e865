import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A part of a pack, stored as long as its address works. */
@Entity('pack_parts')
@Index('pack_parts_expiry', ['expiresAt'])
export class PackPartEntity {
  /** Random. */
  @PrimaryColumn('text') id!: string;
  @Column('text') reportId!: string;
  /** The requested size limit. */
  @Column('bigint') partMaxBytes!: number;
  /** From 1. */
  @Column('integer') n!: number;
  @Column('text') filename!: string;
  @Column('text') storageKey!: string;
  @Column('bigint') bytes!: number;
  @Column('text') sha256!: string;
  /** Epoch milliseconds. */
  @Column('bigint') expiresAt!: number;
}
