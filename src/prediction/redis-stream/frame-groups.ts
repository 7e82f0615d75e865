import { Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { hmacOf } from '../../common/secrets/constant-time.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';

/** Frames of one stream with consecutive numbers, as they are kept together. */
export interface FrameGroup {
  /** The number of the first. */
  readonly first: number;
  /** Without their ids; at least one. */
  readonly frames: readonly string[];
}

export const lastNumberOf = ({ first, frames }: FrameGroup): number => first + frames.length - 1;

/**
 * The form in which frames stand where others may read: sealed, each group bound to its stream and its last number,
 * under a name that tells nothing and cannot be made without the link secret.
 */
@Injectable()
export class FrameGroups {
  private readonly sealKey: Buffer;
  private readonly nameKey: string;

  constructor(secrets: Secrets) {
    const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secrets.linkSecret, '', use, 32));
    this.sealKey = keyFor('frames of streams');
    this.nameKey = keyFor('names of streams').toString('hex');
  }

  /** The key of a stream by its token. */
  streamKey(token: string): string {
    return `stream:${hmacOf(this.nameKey, token)}`;
  }

  seal(name: string, group: FrameGroup): string {
    return seal(
      this.sealKey,
      JSON.stringify([group.first, ...group.frames]),
      `${name}:${lastNumberOf(group)}`,
    );
  }

  /** Undefined for whatever was not sealed here as this stream's group with this last number. */
  open(name: string, last: number, sealed: string): FrameGroup | undefined {
    try {
      const opened = unseal(this.sealKey, sealed, `${name}:${last}`);
      const [first, ...frames] = JSON.parse(opened) as [number, ...string[]];
      return { first, frames };
    } catch {
      return undefined;
    }
  }
}
