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
  @Column('text', { name: 'flow_id' }) flowId!: string;
  @Column('text', { name: 'session_id' }) sessionId!: string;
  @Column('text', { name: 'area_key' }) areaKey!: string;
  @Column('text', { name: 'area_name' }) areaName!: string;
  @Column('text', { name: 'area_type' }) areaType!: string;
  @Column('text', { nullable: true }) service!: string | null;
  @Column('bigint', { name: 'captured_at' }) capturedAt!: number;
  /** Where `capturedAt` comes from: `captureTs` or `server`. */
  @Column('text') source!: string;
  @Column('bigint', { name: 'received_at' }) receivedAt!: number;
  /** Rises within the session. */
  @Column('bigint') arrival!: number;
  /** Hash of the message id and the place in it; null where the caller gave none. */
  @Column('text', { name: 'message_key', nullable: true }) messageKey!: string | null;
  @Column('text', { nullable: true }) caption!: string | null;
  @Column('text', { name: 'file_name', nullable: true }) fileName!: string | null;
  /** `PictureFormat` of the original. */
  @Column('text') format!: string;
  /** Of the original, as are `bytes` and the storage key. */
  @Column('text') sha256!: string;
  @Column('bigint') bytes!: number;
  @Column('text', { name: 'original_key' }) originalKey!: string;
  @Column('integer', { name: 'original_width' }) originalWidth!: number;
  @Column('integer', { name: 'original_height' }) originalHeight!: number;
  @Column('text', { name: 'rendition_key', nullable: true }) renditionKey!: string | null;
  @Column('text', { name: 'rendition_sha256', nullable: true }) renditionSha256!: string | null;
  @Column('bigint', { name: 'rendition_bytes', nullable: true }) renditionBytes!: number | null;
  /** Pixels of the print rendition. */
  @Column('integer') width!: number;
  @Column('integer') height!: number;
  @Column('text', { name: 'perceptual_hash', nullable: true }) perceptualHash!: string | null;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  /** Null while pending. */
  @Column('text', { name: 'claim_id', nullable: true }) claimId!: string | null;
}
