import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Secrets } from '../../common/secrets/secrets.js';
import { isExecutionId } from '../../executions/execution-id.js';

/**
 * The resume token of a stream: its execution's id, which is 128 bits, as one block of AES under a key made of the link
 * secret. Who has no key cannot tell it from a random number, and an execution id alone opens no stream; every process
 * that has the link secret finds the record of a run by the token of its stream, though none is stored.
 */
@Injectable()
export class ResumeTokens {
  private readonly key: Buffer;

  constructor(secrets: Secrets) {
    this.key = Buffer.from(hkdfSync('sha256', secrets.linkSecret, '', 'resume tokens', 32));
  }

  /** 32 lower-case hex digits. */
  create(executionId: string): string {
    const block = createCipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    return block.update(executionId.replaceAll('-', ''), 'hex', 'hex');
  }

  /** The execution that this is the token of; undefined where it is that of none. */
  findExecution(token: string): string | undefined {
    const block = createDecipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    const digits = block.update(token, 'hex', 'hex');
    const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return isExecutionId(id) ? id : undefined;
  }
}
