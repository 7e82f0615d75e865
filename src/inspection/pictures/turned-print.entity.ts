import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The print of a photograph turned by a correction, made once for each turn and stored. */
@Entity('turned_prints')
@Index('turned_prints_photograph', ['photographId', 'turn'], { unique: true })
export class TurnedPrintEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') photographId!: string;
  /** Degrees clockwise: 90, 180 or 270. */
  @Column('integer') turn!: number;
  @Column('text') storageKey!: string;
  @Column('text') sha256!: string;
  @Column('bigint') bytes!: number;
}
