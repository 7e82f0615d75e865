import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The outcome of a correction with an `Idempotency-Key`, by one caller in one session; stored for a day. */
@Entity('correction_keys')
export class CorrectionKeyEntity {
  @PrimaryColumn('text') sessionId!: string;
  @PrimaryColumn('text') flowId!: string;
  /** `key:<id>`, `admin` or `chat`. */
  @PrimaryColumn('text') who!: string;
  @PrimaryColumn('text') callKey!: string;
  /** SHA-256 of the request. */
  @Column('text') fingerprint!: string;
  /** The result of `encodeOutcome`. */
  @Column('text') outcome!: string;
  /** Epoch milliseconds. */
  @Index('correction_keys_made_at')
  @Column('bigint')
  madeAt!: number;
}
