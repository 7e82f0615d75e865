import { Injectable } from '@nestjs/common';
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { hmacOf, sameSecret } from '../../common/secrets/constant-time.js';
import { Secrets } from '../../common/secrets/secrets.js';

/** The signed part of a call between processes. */
export interface ReplicaCall {
  method: string;
  /** Path with query. */
  path: string;
  body: string;
}

/** Largest difference of clocks (contract section 13). */
const MOST_APART_MS = 60_000;

const FORM = /^t=(\d{1,16}),n=([\w-]{22}),s=([\w-]{43})$/;

/**
 * Signs calls between processes: an HMAC over method, path, body, time and nonce, with a key derived from the shared
 * link secret. Each signature is accepted once, by the process named in the path.
 */
@Injectable()
export class ReplicaSignatures {
  private readonly key: string;
  /** Used nonces with the instant from which their time is refused anyway, oldest first. */
  private readonly used = new Map<string, number>();

  constructor(
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.key = Buffer.from(
      hkdfSync('sha256', secrets.linkSecret, '', 'calls between processes', 32),
    ).toString('hex');
  }

  /** Returns the value of `X-Replica-Signature`. */
  sign(call: ReplicaCall): string {
    const [time, nonce] = [String(this.clock.now()), randomBytes(16).toString('base64url')];
    return `t=${time},n=${nonce},s=${this.hmac(call, time, nonce)}`;
  }

  /** Returns true once per valid signature. */
  accepts(call: ReplicaCall, signature: string | string[] | undefined): boolean {
    const parts = FORM.exec(typeof signature === 'string' ? signature : '');
    if (!parts) return false;
    const [time, nonce, hmac] = [parts[1]!, parts[2]!, parts[3]!];
    const now = this.clock.now();
    const isFresh = Math.abs(now - Number(time)) <= MOST_APART_MS;
    if (!isFresh || !sameSecret(hmac, this.hmac(call, time, nonce)) || this.used.has(nonce)) return false;
    for (const [old, until] of this.used) {
      if (until >= now) break;
      this.used.delete(old);
    }
    this.used.set(nonce, now + 2 * MOST_APART_MS);
    return true;
  }

  private hmac({ method, path, body }: ReplicaCall, time: string, nonce: string): string {
    const digest = createHash('sha256').update(body).digest('hex');
    return hmacOf(this.key, [method, path, digest, time, nonce].join('\n'));
  }
}
