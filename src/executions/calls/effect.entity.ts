import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An effect of a run outside of its own record (contract section 11); without `endedAt` it is not known to have happened. */
@Entity('effects')
export class EffectEntity {
  /** The first execution of the run, also for its retries. */
  @PrimaryColumn('text') runId!: string;
  @PrimaryColumn('text') path!: string;
  @Column('text') kind!: string;
  /** The execution, and its attempt, that wrote the row last. */
  @Column('text') executionId!: string;
  @Column('integer') attempt!: number;
  /** The flow as it was: a model is asked anew when it was changed since. */
  @Column('text') revision!: string;
  @Column('bigint') begunAt!: number;
  @Column('bigint', { nullable: true }) endedAt!: number | null;
  /** JSON, sealed with the credentials key. */
  @Column('text', { nullable: true }) result!: string | null;
}
