import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The change of one subject by a correction. `change` and `was` are JSON text. Never changed. */
@Entity('corrected_items')
@Index('corrected_items_subject', ['subjectId'])
export class CorrectedItemEntity {
  @PrimaryColumn('text') correctionId!: string;
  /** A photograph, a remark, a fact; of kind `session` the session itself: its current area was renamed. */
  @PrimaryColumn('text') subjectId!: string;
  /** `SubjectKind`. */
  @Column('text') kind!: string;
  /** JSON of a `Change`. */
  @Column('text') change!: string;
  /** The columns that it changed, with their values before. */
  @Column('text') was!: string;
}
