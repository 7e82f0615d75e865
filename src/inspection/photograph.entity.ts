import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A recorded photograph; its bytes are in blob storage. Instants are epoch milliseconds. */
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
  /** The source of `capturedAt`: `captureTs` or `server`. */
  @Column('text') source!: string;
  @Column('bigint') receivedAt!: number;
  /** Rises within the session. */
  @Column('bigint') arrival!: number;
  /** Hash of the message id and the position in it; null without a message id. */
  @Column('text', { nullable: true }) messageKey!: string | null;
  @Column('text', { nullable: true }) caption!: string | null;
  @Column('text', { nullable: true }) fileName!: string | null;
  /** `PictureFormat` of the original. */
  @Column('text') format!: string;
  /** SHA-256 of the original; `bytes` and `originalKey` are also those of the original. */
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
  /** JSON of a `Camera`; null without EXIF data. */
  @Column('text', { nullable: true }) camera!: string | null;
  /** 1 if data of the picture is missing or corrupt, so that its print shows only part of it. */
  @Column('integer', { default: 0 }) partlyRead!: number;
  @Column('text') executionId!: string;
  /** Degrees clockwise by which its print rendition was turned: 0, 90, 180 or 270. */
  @Column('integer', { default: 0 }) turn!: number;
  /** Null unless it was withdrawn; then it is stored but never counted. */
  @Column('bigint', { nullable: true }) withdrawnAt!: number | null;
  /** Null while pending. */
  @Column('text', { nullable: true }) claimId!: string | null;
}
