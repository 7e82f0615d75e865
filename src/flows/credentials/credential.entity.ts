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

/** A credential as admins see it; times are epoch milliseconds. What it holds is never shown. */
export type Credential = Pick<CredentialEntity, 'id' | 'name' | 'kind' | 'createdAt' | 'updatedAt'>;
