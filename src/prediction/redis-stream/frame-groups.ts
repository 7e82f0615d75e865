import { Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { hmacOf } from '../../common/secrets/constant-time.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';

/** Consecutive frames of one stream, stored together. */
export interface FrameGroup {
  /** Number of the first frame. */
  readonly first: number;
  /** Frames without ids; at least one. */
  readonly frames: readonly string[];
}

export const lastNumberOf = ({ first, frames }: FrameGroup): number => first + frames.length - 1;

/**
 * Seals groups of frames for a store that others may read: each is bound to its stream and its last number, under a
 * name that reveals nothing and cannot be computed without the link secret.
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

  /** Returns the Redis key of a stream. */
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

  /** Opens a sealed group; undefined unless it was sealed here for this stream with this last number. */
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
