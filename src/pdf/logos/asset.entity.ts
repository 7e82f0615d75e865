import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A logo, ready to print: an upright JPEG on white. Equal sources are one asset. */
@Entity('assets')
@Index('assets_source', ['sourceSha256'], { unique: true })
export class AssetEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') sourceSha256!: string;
  @Column('text') storageKey!: string;
  @Column('bigint') bytes!: number;
  /** Pixels. */
  @Column('integer') width!: number;
  @Column('integer') height!: number;
  @Column('bigint') createdAt!: number;
}
