import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { EntityColumns } from '../../database/entity-columns.js';

/** A stored flow. Instants are epoch milliseconds. */
@Entity('flows')
@Index('flows_created', ['createdAt', 'id'])
export class FlowEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  /** JSON text of the checked settings. */
  @Column('text') settings!: string;
  /** The published version, which is the newest. */
  @Column('integer') version!: number;
  /** Changes with each publish and each change of the settings; a process's cached copy is valid as long as it is the same. */
  @Column('text') revision!: string;
  /** SHA-256 of the file from which it was last loaded; null for one that an admin created. */
  @Column('text', { nullable: true }) sourceHash!: string | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}

/** A published definition, which never changes. */
@Entity('flow_versions')
export class FlowVersionEntity {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('integer') version!: number;
  /** JSON text of the checked definition, with secrets of placeholders sealed. */
  @Column('text') definition!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) note!: string | null;
  @Column('text') author!: string;
  @Column('bigint') publishedAt!: number;
}

/** The unpublished definition of a flow. */
@Entity('flow_drafts')
export class FlowDraftEntity {
  @PrimaryColumn('text') flowId!: string;
  /** JSON text of an object, unchecked, with secrets of placeholders sealed. */
  @Column('text') definition!: string;
  @Column('text') revision!: string;
  /** The version that was published when the draft was begun. */
  @Column('integer') basedOn!: number;
  @Column('text') author!: string;
  @Column('bigint') updatedAt!: number;
}

/** A changed setting of a flow. */
@Entity('flow_setting_changes')
export class FlowSettingChangeEntity {
  @PrimaryColumn('text') flowId!: string;
  @PrimaryColumn('bigint') changedAt!: number;
  @PrimaryColumn('text') setting!: string;
  /** JSON text; null if it was absent. */
  @Column('text', { nullable: true }) was!: string | null;
  /** JSON text; null if it was removed. */
  @Column('text', { nullable: true }) became!: string | null;
  @Column('text') author!: string;
}

export const flowColumns = new EntityColumns(FlowEntity);

export const FLOW_ENTITIES = [FlowEntity, FlowVersionEntity, FlowDraftEntity, FlowSettingChangeEntity];
