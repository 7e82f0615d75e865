import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The record of an inspection (contract section 5): the known members of its report's `meta`. */
@Entity('inspection_details')
@Index('inspection_details_claim', ['commentsClaimId'], { where: 'comments_claim_id IS NOT NULL' })
export class InspectionDetailsEntity {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('text') sessionId!: string;
  /** JSON of all members but `areaComments`. */
  @Column('text') details!: string;
  /** JSON of `areaComments`; null if there are none. */
  @Column('text', { nullable: true }) areaComments!: string | null;
  /** The claim whose report prints the comments, while it is drawn: hidden then, and restored if it is released. */
  @Column('text', { nullable: true }) commentsClaimId!: string | null;
  /** Shown and found in the list of sessions; at most 500 characters each. */
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) postcode!: string | null;
  @Column('text', { nullable: true }) inspector!: string | null;
  @Column('bigint') updatedAt!: number;
}
