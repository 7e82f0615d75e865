import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The change of one subject by a correction. `change` and `was` are JSON text. Never changed. */
@Entity('corrected_items')
@Index('corrected_items_subject', ['subjectId'])
export class CorrectedItemEntity {
  @PrimaryColumn('text') correctionId!: string;
  /** The id of a photograph, remark or fact, or of the session (kind `session`) whose current area was renamed. */
  @PrimaryColumn('text') subjectId!: string;
  /** `SubjectKind`. */
  @Column('text') kind!: string;
  /** JSON of a `Change`. */
  @Column('text') change!: string;
  /** The changed columns with their earlier values. */
  @Column('text') was!: string;
}
