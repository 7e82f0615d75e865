import { Injectable } from '@nestjs/common';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/write-gate.js';

/** An API key as admins see it: never the key itself. Instants are epoch milliseconds. */
export interface ApiKey {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

const USE_NOTED_EVERY_MS = 60_000;

/** Compared with when there is no key, so that a revoked key takes as long as a wrong one. */
const NOBODY = Buffer.alloc(32);

/**
 * Keys that open flows (description section 5, contract section 4): 256 random bits, stored as SHA-256, compared in
 * constant time. A flow whose key was revoked is closed to everybody until an admin changes the flow.
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

  /** Makes a key; the only time that it can be seen. */
  async create(name: string): Promise<{ id: string; name: string; key: string }> {
    const id = uuid();
    const key = `fk_${randomBytes(32).toString('base64url')}`;
    const now = this.clock.now();
    await this.gate.write((tx) =>
      tx.run('INSERT INTO api_keys (id, name, hash, created_at) VALUES (?, ?, ?, ?)', [
        id,
        name,
        hashOf(key).toString('hex'),
        now,
      ]),
    );
    return { id, name, key };
  }

  /** The keys that are not revoked, newest first. */
  list(): Promise<ApiKey[]> {
    return this.reader.all<ApiKey>(
      `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM api_keys
       WHERE revoked_at IS NULL ORDER BY id DESC`,
    );
  }

  /** Whether there is such a key, not revoked. */
  async exists(id: string): Promise<boolean> {
    const sql = 'SELECT id FROM api_keys WHERE id = ? AND revoked_at IS NULL';
    return (await this.reader.one(sql, [id])) !== undefined;
  }

  /** From now on the key opens nothing. False when there is no such key, or it was revoked before. */
  async revoke(id: string): Promise<boolean> {
    const sql = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
    return (await this.gate.write((tx) => tx.run(sql, [this.clock.now(), id]))) > 0;
  }

  /** Whether this token is the key with this id. One read; its use is noted off the answer's path. */
  async opens(apiKeyId: string, token: string): Promise<boolean> {
    const sql = 'SELECT hash FROM api_keys WHERE id = ? AND revoked_at IS NULL';
    const row = await this.reader.one<{ hash: string }>(sql, [apiKeyId]);
    return this.matches(apiKeyId, row?.hash ?? null, token);
  }

  /** The same for a caller who has just read the key's hash; null: there is no such key, or it was revoked. */
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
      .write((tx) => tx.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', [now, id]))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'could not note the use of an API key'));
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
