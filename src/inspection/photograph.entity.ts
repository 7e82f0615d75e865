import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A recorded photograph: bytes lie in storage, everything else here. Instants are epoch milliseconds. */
@Entity('photographs')
@Index('photographs_message', ['flowId', 'sessionId', 'messageKey'], {
  unique: true,
  where: 'message_key IS NOT NULL',
})
@Index('photographs_session', ['sessionId', 'flowId', 'claimId'])
@Index('photographs_claim', ['claimId'], { where: 'claim_id IS NOT NULL' })
@Index('photographs_content', ['flowId', 'sha256', 'sessionId', 'id'])
@Index('photographs_look', ['flowId', 'perceptualHash', 'sessionId'], {
  where: 'perceptual_hash IS NOT NULL',
})
export class PhotographEntity {
  /** UUID version 7. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') sessionId!: string;
  @Column('text') areaKey!: string;
  @Column('text') areaName!: string;
  @Column('text') areaType!: string;
  @Column('text', { nullable: true }) service!: string | null;
  @Column('bigint') capturedAt!: number;
  /** Where `capturedAt` comes from: `captureTs` or `server`. */
  @Column('text') source!: string;
  @Column('bigint') receivedAt!: number;
  /** Rises within the session. */
  @Column('bigint') arrival!: number;
  /** Hash of the message id and the place in it; null where the caller gave none. */
  @Column('text', { nullable: true }) messageKey!: string | null;
  @Column('text', { nullable: true }) caption!: string | null;
  @Column('text', { nullable: true }) fileName!: string | null;
  /** `PictureFormat` of the original. */
  @Column('text') format!: string;
  /** Of the original, as are `bytes` and the storage key. */
  @Column('text') sha256!: string;
  @Column('bigint') bytes!: number;
  @Column('text') originalKey!: string;
  @Column('integer') originalWidth!: number;
  @Column('integer') originalHeight!: number;
  @Column('text', { nullable: true }) renditionKey!: string | null;
  @Column('text', { nullable: true }) renditionSha256!: string | null;
  @Column('bigint', { nullable: true }) renditionBytes!: number | null;
  /** Pixels of the print rendition. */
  @Column('integer') width!: number;
  @Column('integer') height!: number;
  @Column('text', { nullable: true }) perceptualHash!: string | null;
  /** JSON of a `Camera`; null where the picture says nothing of its taking. */
  @Column('text', { nullable: true }) camera!: string | null;
  /** 1 where data of the picture is missing or corrupt, so that its print shows a part of it. */
  @Column('integer', { default: 0 }) partlyRead!: number;
  @Column('text') executionId!: string;
  /** Degrees clockwise by which its print rendition was turned: 0, 90, 180 or 270. */
  @Column('integer', { default: 0 }) turn!: number;
  /** Null unless it was withdrawn: it stays stored, and counts nowhere. */
  @Column('bigint', { nullable: true }) withdrawnAt!: number | null;
  /** Null while pending. */
  @Column('text', { nullable: true }) claimId!: string | null;
}
