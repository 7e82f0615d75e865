import { Injectable } from '@nestjs/common';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { NewApiKeyView } from '../../api/access.js';
import type { PresentedKey } from '../../api/executions.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import type { Fault } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { apiKeyUseKey } from '../../database/writes/write-keys.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** An API key in the admin's list, without the key itself. Instants are epoch milliseconds. */
export type ApiKey = Pick<ApiKeyEntity, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;

/** A key created by another service. */
export type MovedKey = Pick<ApiKeyEntity, 'id' | 'name' | 'createdAt'> & { key: string };

const USE_NOTED_EVERY_MS = 60_000;

/** Stands in for a missing hash, so that a revoked key takes as long to check as a wrong one. */
const NOBODY = Buffer.alloc(32);

/**
 * Keys that open flows (description section 5, contract section 4): 256 random bits, stored as SHA-256, compared in
 * constant time. If its key is revoked, a flow is closed to everybody until an admin changes the flow.
 */
@Injectable()
export class ApiKeys {
  private readonly useNotedAt = new Map<string, number>();

  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Creates a key. Its value can be read only from this result. */
  async create(name: string): Promise<NewApiKeyView> {
    const id = uuid();
    const key = `fk_${randomBytes(32).toString('base64url')}`;
    const made = { id, name, hash: hashOf(key).toString('hex'), createdAt: this.clock.now() };
    await this.gate.write((tx) => tx.repository(ApiKeyEntity).insert(made));
    return { id, name, key };
  }

  /** Stores a key of another service with its id and value. Returns false if the id exists, revoked or not. */
  async adopt({ id, name, key, createdAt }: MovedKey): Promise<boolean> {
    const made = { id, name, hash: hashOf(key).toString('hex'), createdAt };
    return this.gate.write(async (tx) => {
      const keys = tx.repository(ApiKeyEntity);
      if (await keys.existsBy({ id })) return false;
      await keys.insert(made);
      return true;
    });
  }

  /** Returns the state of this key here; undefined if no key has its id. */
  async stateOf(id: string, key: string): Promise<'valid' | 'revoked' | 'another' | undefined> {
    const found = await this.reader.repository(ApiKeyEntity).findOneBy({ id });
    if (!found) return undefined;
    if (found.hash !== hashOf(key).toString('hex')) return 'another';
    return found.revokedAt === null ? 'valid' : 'revoked';
  }

  /** Lists the keys that are not revoked, newest first. */
  list(): Promise<ApiKey[]> {
    return this.reader.repository(ApiKeyEntity).find({
      select: { id: true, name: true, createdAt: true, lastUsedAt: true },
      where: { revokedAt: IsNull() },
      order: { id: 'DESC' },
    });
  }

  exists(id: string): Promise<boolean> {
    return this.reader.repository(ApiKeyEntity).existsBy({ id, revokedAt: IsNull() });
  }

  /** Returns a fault if the definition names a key that does not exist (contract section 4). */
  async faultsOf({ access }: FlowDefinition): Promise<Fault[]> {
    const id = access?.apiKeyId ?? null;
    if (id === null || (await this.exists(id))) return [];
    const message = 'there is no API key with this id: make one (POST /api/v1/api-keys) and send its id';
    return [{ path: 'access.apiKeyId', message }];
  }

  /** Returns the name of a key, revoked or not. */
  async findName(id: string): Promise<string | undefined> {
    return (await this.reader.repository(ApiKeyEntity).findOneBy({ id }))?.name;
  }

  /** Revokes the key. Returns false if there is none, or it was revoked before. */
  async revoke(id: string): Promise<boolean> {
    const open = { id, revokedAt: IsNull() };
    const revoked = { revokedAt: this.clock.now() };
    const { affected } = await this.gate.write((tx) => tx.repository(ApiKeyEntity).update(open, revoked));
    return affected === 1;
  }

  /** Returns the key with this token, revoked or not. */
  async find(token: string): Promise<PresentedKey | undefined> {
    const hash = hashOf(token).toString('hex');
    const [key] = await this.reader
      .repository(ApiKeyEntity)
      .find({ where: { hash }, order: { revokedAt: { direction: 'DESC', nulls: 'FIRST' } }, take: 1 });
    return key && { id: key.id, name: key.name, revoked: key.revokedAt !== null };
  }

  /** Returns the id of the key with this token; null if there is none, or it was revoked. */
  async idOf(token: string): Promise<string | null> {
    const hash = hashOf(token).toString('hex');
    const key = await this.reader.repository(ApiKeyEntity).findOneBy({ hash, revokedAt: IsNull() });
    return key && this.matches(key.id, key.hash, token) ? key.id : null;
  }

  /** Returns true if this token is the key with this id. Takes one read; the use is noted in the background. */
  async opens(apiKeyId: string, token: string): Promise<boolean> {
    const key = await this.reader.repository(ApiKeyEntity).findOneBy({ id: apiKeyId, revokedAt: IsNull() });
    return this.matches(apiKeyId, key?.hash ?? null, token);
  }

  /** Compares a token with a hash that was just read; null if there is no such key, or it was revoked. */
  matches(apiKeyId: string, hash: string | null, token: string): boolean {
    const same = timingSafeEqual(hashOf(token), hash === null ? NOBODY : Buffer.from(hash, 'hex'));
    if (hash === null || !same) return false;
    this.noteUse(apiKeyId);
    return true;
  }

  private noteUse(id: string): void {
    const now = this.clock.now();
    if (now - (this.useNotedAt.get(id) ?? -USE_NOTED_EVERY_MS) < USE_NOTED_EVERY_MS) return;
    this.useNotedAt.set(id, now);
    this.gate
      .write((tx) => tx.repository(ApiKeyEntity).update({ id }, { lastUsedAt: now }), [apiKeyUseKey(id)])
      .catch((error: unknown) => this.logger.warn({ err: error }, 'could not note the use of an API key'));
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
