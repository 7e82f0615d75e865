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
  "opens none of the stored credentials. Put back the key that they were made with. If it is lost, run UPDATE credentials SET sealed = '' in the database, start, and enter each credential anew.";

/** Without its secret. */
const SHOWN = { id: true, name: true, kind: true, createdAt: true, updatedAt: true } as const;

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
    const made = { id, name, kind: secret.kind, createdAt: now, updatedAt: now };
    const sealed = this.seal(id, secret);
    await this.gate.write((tx) => tx.repository(CredentialEntity).insert({ ...made, sealed }));
    return made;
  }

  /** Keeps a credential of another service with its id and its dates. False where there is one with this id. */
  async adopt(credential: Omit<Credential, 'kind'>, secret: Secret): Promise<boolean> {
    const made = { ...credential, kind: secret.kind, sealed: this.seal(credential.id, secret) };
    return this.gate.write(async (tx) => {
      const credentials = tx.repository(CredentialEntity);
      if (await credentials.existsBy({ id: credential.id })) return false;
      await credentials.insert(made);
      return true;
    });
  }

  /** Puts another secret in the place of the old one. Undefined when there is no such credential. */
  async replace(id: string, name: string, secret: Secret): Promise<Credential | undefined> {
    const sealed = this.seal(id, secret);
    const changed = { name, kind: secret.kind, sealed, updatedAt: this.clock.now() };
    const { affected } = await this.gate.write((tx) =>
      tx.repository(CredentialEntity).update({ id }, changed),
    );
    return affected === 1 ? this.find(id) : undefined;
  }

  /** Newest first. */
  list(): Promise<Credential[]> {
    return this.reader.repository(CredentialEntity).find({ select: SHOWN, order: { id: 'DESC' } });
  }

  async find(id: string): Promise<Credential | undefined> {
    const found = await this.reader.repository(CredentialEntity).findOne({ select: SHOWN, where: { id } });
    return found ?? undefined;
  }

  /** Flows that still name it fail when they need it. False when there was none. */
  async remove(id: string): Promise<boolean> {
    const { affected } = await this.gate.write((tx) => tx.repository(CredentialEntity).delete({ id }));
    return affected === 1;
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
    if (secret.kind !== 'webhook') return credentialHeaders(secret);
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

  /**
   * The fault of a credentials key that opens not one of the stored credentials: it is the key of something else, and the
   * service does not start with it (contract section 13). An emptied credential is not stored.
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
      `The credential "${id}" cannot be opened with this credentials-key. Restore the key that it was made with, or set the credential anew.`,
    );
  }

  /** Undefined of one that was sealed with another key. */
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
