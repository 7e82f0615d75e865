import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { CredentialKind } from '../../api/credential-terms.js';
import { Clock } from '../../common/clock.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { credentialsKey } from '../../common/secrets/secret-kind.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { CredentialSource } from './credential-source.js';
import { type Credential, CredentialEntity } from './credential.entity.js';
import { type CredentialHeaders, credentialHeaders, type Secret } from './credential.js';

const OPENS_NONE =
  "decrypts none of the stored credentials. Restore the key that they were encrypted with. If it is lost, run UPDATE credentials SET sealed = '' in the database, start, and enter each credential again.";

/** The columns without the secret. */
const SHOWN = { id: true, name: true, kind: true, createdAt: true, updatedAt: true } as const;

/**
 * The secrets that nodes use by `credentialId` (contract section 8). They are encrypted with a key that is not in the
 * database, decrypted only for a call that needs one, and never returned to admins.
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
    const made = { id, name, kind: secret.kind, createdAt: now, updatedAt: now };
    const sealed = this.seal(id, secret);
    await this.gate.write((tx) => tx.repository(CredentialEntity).insert({ ...made, sealed }));
    return made;
  }

  /** Stores a credential of another service with its id and dates. Returns false when the id is taken. */
  async adopt(credential: Omit<Credential, 'kind'>, secret: Secret): Promise<boolean> {
    const made = { ...credential, kind: secret.kind, sealed: this.seal(credential.id, secret) };
    return this.gate.write(async (tx) => {
      const credentials = tx.repository(CredentialEntity);
      if (await credentials.existsBy({ id: credential.id })) return false;
      await credentials.insert(made);
      return true;
    });
  }

  /** Replaces a credential. Returns undefined when there is no such credential. */
  async replace(id: string, name: string, secret: Secret): Promise<Credential | undefined> {
    const sealed = this.seal(id, secret);
    const changed = { name, kind: secret.kind, sealed, updatedAt: this.clock.now() };
    const { affected } = await this.gate.write((tx) =>
      tx.repository(CredentialEntity).update({ id }, changed),
    );
    return affected === 1 ? this.find(id) : undefined;
  }

  /** Returns all credentials, newest first. */
  list(): Promise<Credential[]> {
    return this.reader.repository(CredentialEntity).find({ select: SHOWN, order: { id: 'DESC' } });
  }

  async find(id: string): Promise<Credential | undefined> {
    const found = await this.reader.repository(CredentialEntity).findOne({ select: SHOWN, where: { id } });
    return found ?? undefined;
  }

  /** Deletes a credential. Flows that still name it fail when they need it. Returns false when there was none. */
  async remove(id: string): Promise<boolean> {
    const { affected } = await this.gate.write((tx) => tx.repository(CredentialEntity).delete({ id }));
    return affected === 1;
  }

  override async apiKey(credentialId: string): Promise<string> {
    const secret = await this.open(credentialId);
    if (secret.kind === 'api-key') return secret.data.apiKey;
    throw new Error(
      `The credential "${credentialId}" is of the kind "${secret.kind}". A model needs one of the kind "api-key".`,
    );
  }

  override async headers(credentialId: string): Promise<CredentialHeaders> {
    const secret = await this.open(credentialId);
    if (secret.kind !== 'webhook') return credentialHeaders(secret);
    throw new Error(
      `The credential "${credentialId}" signs webhooks. An http node needs one of another kind.`,
    );
  }

  /** Returns the secret (`whsec_…`) that signs the callbacks of a flow. */
  async webhookSecret(credentialId: string): Promise<string> {
    const secret = await this.open(credentialId);
    if (secret.kind === 'webhook') return secret.data.secret;
    throw new Error(`The credential "${credentialId}" is of the kind "${secret.kind}", not "webhook".`);
  }

  /**
   * Returns the fault of a credentials key that decrypts none of the stored credentials: it is another key, and the service
   * does not start with it (contract section 13). Emptied credentials do not count.
   */
  async keyFault(): Promise<string | undefined> {
    const rows = await this.reader.repository(CredentialEntity).findBy({ sealed: Not('') });
    if (rows.length === 0 || rows.some((row) => this.opened(row))) return undefined;
    return `${this.secrets.whereIs(credentialsKey.variable)}: ${OPENS_NONE}`;
  }

  private async open(id: string): Promise<Secret> {
    const row = await this.reader.repository(CredentialEntity).findOneBy({ id });
    if (!row) throw new Error(this.missing(id));
    const secret = this.opened(row);
    if (secret) return secret;
    throw new Error(
      `The credential "${id}" cannot be decrypted with this credentials-key. Restore the key that it was encrypted with, or enter the credential again.`,
    );
  }

  /** Returns undefined when the credential was encrypted with another key. */
  private opened({ id, kind, sealed }: CredentialEntity): Secret | undefined {
    try {
      const data: unknown = JSON.parse(unseal(this.secrets.credentialsKey, sealed, placeOf(id, kind)));
      return { kind, data } as Secret;
    } catch {
      return undefined;
    }
  }

  private seal(id: string, { kind, data }: Secret): string {
    return seal(this.secrets.credentialsKey, JSON.stringify(data), placeOf(id, kind));
  }
}

const placeOf = (id: string, kind: CredentialKind): string => `credential ${id} ${kind}`;
