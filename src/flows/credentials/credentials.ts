import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../common/clock.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/write-gate.js';
import { CredentialSource } from '../models/credential-source.js';
import {
  type Credential,
  type CredentialHeaders,
  type CredentialKind,
  headersOf,
  type Secret,
} from './credential.js';

interface SealedRow {
  kind: CredentialKind;
  sealed: string;
}

/**
 * The secrets that nodes use by `credentialId` (contract section 8): encrypted at rest with a key that is not in the
 * database, opened only for the call that needs one, never given back.
 */
@Injectable()
export class Credentials extends CredentialSource {
  constructor(
    private readonly secrets: Secrets,
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
  ) {
    super();
  }

  async create(name: string, secret: Secret): Promise<Credential> {
    const id = uuid();
    const now = this.clock.now();
    await this.gate.write((tx) =>
      tx.run(
        'INSERT INTO credentials (id, name, kind, sealed, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
        [id, name, secret.kind, this.seal(id, secret), now, now],
      ),
    );
    return { id, name, kind: secret.kind, createdAt: now, updatedAt: now };
  }

  /** Puts another secret in the place of the old one. Undefined when there is no such credential. */
  async replace(id: string, name: string, secret: Secret): Promise<Credential | undefined> {
    const sealed = this.seal(id, secret);
    const changed = await this.gate.write((tx) =>
      tx.run('UPDATE credentials SET name = ?, kind = ?, sealed = ?, updated_at = ? WHERE id = ?', [
        name,
        secret.kind,
        sealed,
        this.clock.now(),
        id,
      ]),
    );
    return changed === 1 ? this.find(id) : undefined;
  }

  /** Newest first. */
  list(): Promise<Credential[]> {
    return this.reader.all<Credential>(`${SELECT} ORDER BY id DESC`);
  }

  find(id: string): Promise<Credential | undefined> {
    return this.reader.one<Credential>(`${SELECT} WHERE id = ?`, [id]);
  }

  /** Flows that still name it fail when they need it. False when there was none. */
  async remove(id: string): Promise<boolean> {
    return (await this.gate.write((tx) => tx.run('DELETE FROM credentials WHERE id = ?', [id]))) === 1;
  }

  override async apiKey(credentialId: string): Promise<string> {
    const secret = await this.open(credentialId);
    if (secret.kind === 'api-key') return secret.data.apiKey;
    throw new Error(
      `The credential "${credentialId}" is of the kind "${secret.kind}". A model takes one of the kind "api-key".`,
    );
  }

  override async headers(credentialId: string): Promise<CredentialHeaders> {
    const secret = await this.open(credentialId);
    if (secret.kind !== 'webhook') return headersOf(secret);
    throw new Error(
      `The credential "${credentialId}" signs webhooks. An http node takes one of another kind.`,
    );
  }

  /** `whsec_…`, what the callbacks of a flow are signed with. */
  async webhookSecret(credentialId: string): Promise<string> {
    const secret = await this.open(credentialId);
    if (secret.kind === 'webhook') return secret.data.secret;
    throw new Error(`The credential "${credentialId}" is of the kind "${secret.kind}", not "webhook".`);
  }

  private async open(id: string): Promise<Secret> {
    const row = await this.reader.one<SealedRow>('SELECT kind, sealed FROM credentials WHERE id = ?', [id]);
    if (!row) throw new Error(this.missing(id));
    try {
      const data: unknown = JSON.parse(
        unseal(this.secrets.credentialsKey, row.sealed, placeOf(id, row.kind)),
      );
      return { kind: row.kind, data } as Secret;
    } catch {
      throw new Error(
        `The credential "${id}" cannot be opened with this credentials-key. Restore the key that it was made with, or set the credential anew.`,
      );
    }
  }

  private seal(id: string, { kind, data }: Secret): string {
    return seal(this.secrets.credentialsKey, JSON.stringify(data), placeOf(id, kind));
  }
}

const SELECT = 'SELECT id, name, kind, created_at AS "createdAt", updated_at AS "updatedAt" FROM credentials';

const placeOf = (id: string, kind: CredentialKind): string => `credential ${id} ${kind}`;
