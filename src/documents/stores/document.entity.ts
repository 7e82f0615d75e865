import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OutboxState } from '../../executions/outbox/outbox.js';

/**
 * A document of a store, and the job that makes it ready: `queued` waits for a process, `sending` has one, `sent` is
 * ready to be found.
 */
@Entity('store_documents')
@Index('store_documents_store', ['storeId', 'id'])
@Index('store_documents_due', ['state', 'nextAttemptAt'])
export class DocumentEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') storeId!: string;
  @Column('text') name!: string;
  @Column('text') mime!: string;
  /** The address that it is fetched from. */
  @Column('text', { nullable: true }) url!: string | null;
  /** The blob of the document as received; null until an address has been fetched, and after the text is extracted. */
  @Column('text', { nullable: true }) sourceKey!: string | null;
  /** The blob of its text, UTF-8, once it is extracted. */
  @Column('text', { nullable: true }) textKey!: string | null;
  /** Characters (UTF-16) of the text. */
  @Column('integer', { nullable: true }) textLength!: number | null;
  /** Up to here its text is embedded: the next chunk begins there. */
  @Column('integer') nextOffset!: number;
  /** Chunks that are embedded. */
  @Column('integer') chunks!: number;
  /** JSON of the extraction's warnings. */
  @Column('text', { nullable: true }) warnings!: string | null;
  /** The store's, for which its chunks are made. */
  @Column('integer') generation!: number;
  /** 1: it is gone for everybody; its rows are being deleted. */
  @Column('integer') removed!: number;
  @Column('text') state!: OutboxState;
  /** Tries in a row that brought it no further. */
  @Column('integer') attempts!: number;
  @Column('bigint') nextAttemptAt!: number;
  @Column('text', { nullable: true }) leaseProcess!: string | null;
  @Column('bigint', { nullable: true }) leaseUntil!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  /** The stable code of `error`. */
  @Column('text', { nullable: true }) errorCode!: string | null;
  @Column('bigint') createdAt!: number;
}
