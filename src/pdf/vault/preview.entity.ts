import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The file of a session's latest preview, stored for an hour. Nothing is claimed for it, and it is never drawn again. */
@Entity('previews')
@Index('previews_expiry', ['expiresAt'])
@Index('previews_session', ['sessionId', 'flowIds'])
export class PreviewEntity {
  /** Random. */
  @PrimaryColumn('text') id!: string;
  @Column('text') executionId!: string;
  @Column('text') sessionId!: string;
  /** JSON list of the ids of the flows whose photographs it shows. */
  @Column('text') flowIds!: string;
  @Column('text') filename!: string;
  @Column('text') storageKey!: string;
  @Column('bigint') bytes!: number;
  @Column('text') sha256!: string;
  /** Epoch milliseconds. */
  @Column('bigint') expiresAt!: number;
}
