import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CaseCalls, CaseRunStatus } from '../../api/case-terms.js';

/** A case of a flow. Instants are epoch milliseconds. */
@Entity('flow_cases')
@Index('flow_cases_flow', ['flowId', 'id'])
export class CaseEntity {
  /** UUID version 7. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  @Column('text') name!: string;
  @Column('text') calls!: CaseCalls;
  /** JSON of the checks. */
  @Column('text') checks!: string;
  @Column('text', { nullable: true }) executionId!: string | null;
  /** Bytes of its blobs. */
  @Column('bigint') bytes!: number;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
  /** The latest result. */
  @Column('text', { nullable: true }) lastRunId!: string | null;
  @Column('integer', { nullable: true }) lastPassed!: number | null;
  @Column('bigint', { nullable: true }) lastAt!: number | null;
}

/** A blob of a case: part 0 is its sealed recording, the others are files of the caller. */
@Entity('case_blobs')
@Index('case_blobs_case', ['caseId'])
export class CaseBlobEntity {
  @PrimaryColumn('text') blobKey!: string;
  @Column('text') caseId!: string;
  @Column('integer') part!: number;
}

/** A run of cases. */
@Entity('case_runs')
@Index('case_runs_flow', ['flowId', 'id'])
@Index('case_runs_running', ['processId'], { where: `status = 'running'` })
export class CaseRunEntity {
  /** UUID version 7. */
  @PrimaryColumn('text') id!: string;
  @Column('text') flowId!: string;
  /** `draft`, or the number of the version. */
  @Column('text') version!: string;
  @Column('text') status!: CaseRunStatus;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('integer') total!: number;
  @Column('text') processId!: string;
  @Column('bigint') startedAt!: number;
  @Column('bigint', { nullable: true }) finishedAt!: number | null;
}

/** The result of one case of a run; without `data` it is under way and was charged. */
@Entity('case_results')
export class CaseResultEntity {
  @PrimaryColumn('text') runId!: string;
  /** Place in the run, from 0. */
  @PrimaryColumn('integer') position!: number;
  /** The charge of a live case, as the ledger names it. */
  @Column('text', { nullable: true }) chargeId!: string | null;
  /** JSON of a `CaseResult`. */
  @Column('text', { nullable: true }) data!: string | null;
}
