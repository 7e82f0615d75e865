import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An effect of a run outside its own record (contract section 11). Without `endedAt` its outcome is unknown. */
@Entity('effects')
export class EffectEntity {
  /** First execution of the run, also for its retries. */
  @PrimaryColumn('text') runId!: string;
  @PrimaryColumn('text') path!: string;
  @Column('text') kind!: string;
  /** Execution and attempt that wrote the row last. */
  @Column('text') executionId!: string;
  @Column('integer') attempt!: number;
  /** Revision of the flow; if it has changed, models are called again. */
  @Column('text') revision!: string;
  @Column('bigint') begunAt!: number;
  @Column('bigint', { nullable: true }) endedAt!: number | null;
  /** JSON, sealed with the credentials key. */
  @Column('text', { nullable: true }) result!: string | null;
}
