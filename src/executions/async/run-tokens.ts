import { Injectable } from '@nestjs/common';
import { hmacOf } from '../../common/secrets/constant-time.js';
import { Secrets } from '../../common/secrets/secrets.js';

const TOKEN_BYTES = 16;

/** The tokens in the addresses of runs whose callers do not wait (contract section 3). */
@Injectable()
export class RunTokens {
  constructor(private readonly secrets: Secrets) {}

  /**
   * 128 bits, base64url, that only this service can make of an execution id, each time the same: a later call can be told
   * the address although only a hash of it is kept.
   */
  of(executionId: string): string {
    const whole = Buffer.from(hmacOf(this.secrets.linkSecret, `run\n${executionId}`), 'base64url');
    return whole.subarray(0, TOKEN_BYTES).toString('base64url');
  }
}
