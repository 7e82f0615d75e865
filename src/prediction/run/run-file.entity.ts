import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A file of a call, stored as long as the record of its run. */
@Entity('run_files')
@Index('run_files_created', ['createdAt'])
export class RunFileEntity {
  @PrimaryColumn('text') blobKey!: string;
  @Column('text') runId!: string;
  @Column('bigint') createdAt!: number;
}
