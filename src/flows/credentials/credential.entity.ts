import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CredentialKind } from '../../api/credential-terms.js';

/** A credential, which flows name by `credentialId`; `sealed` is its secret, encrypted. */
@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') kind!: CredentialKind;
  @Column('text') sealed!: string;
  @Column('bigint') createdAt!: number;
  @Column('bigint') updatedAt!: number;
}

/** A credential without its secret; times are epoch milliseconds. */
export type Credential = Pick<CredentialEntity, 'id' | 'name' | 'kind' | 'createdAt' | 'updatedAt'>;
