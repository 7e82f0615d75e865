import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Secrets } from '../../common/secrets/secrets.js';
import { isExecutionId } from '../../executions/execution-id.js';

/**
 * The resume token of a stream: its 128-bit execution id as one AES block, under a key derived from the link secret.
 * Without the key it looks random, and an execution id alone opens no stream. Every process with the link secret finds
 * the record of a run by its token, though none is stored.
 */
@Injectable()
export class ResumeTokens {
  private readonly key: Buffer;

  constructor(secrets: Secrets) {
    this.key = Buffer.from(hkdfSync('sha256', secrets.linkSecret, '', 'resume tokens', 32));
  }

  /** Creates a token of 32 lower-case hex digits. */
  create(executionId: string): string {
    const block = createCipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    return block.update(executionId.replaceAll('-', ''), 'hex', 'hex');
  }

  /** Returns the execution of a token; undefined if there is none. */
  findExecution(token: string): string | undefined {
    const block = createDecipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    const digits = block.update(token, 'hex', 'hex');
    const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return isExecutionId(id) ? id : undefined;
  }
}
