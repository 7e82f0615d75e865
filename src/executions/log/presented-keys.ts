import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { PresentedKey } from '../../api/executions.js';
import { bearerToken } from '../../common/secrets/constant-time.js';

/** Beyond this many searches at a time the record names no key. */
const MOST_AT_ONCE = 256;

type FindKey = (token: string) => Promise<PresentedKey | undefined>;

/** Identifies the key that a call answered with 401 presented. The module that knows the keys registers the search. */
@Injectable()
export class PresentedKeys {
  private findKey: FindKey = () => Promise.resolve(undefined);
  private readonly searches = new Set<Promise<unknown>>();

  register(findKey: FindKey): void {
    this.findKey = findKey;
  }

  /** Resolves to undefined if the call presented none of the service's keys, or the keys cannot be read. */
  async find({ headers }: Pick<Request, 'headers'>, status: number): Promise<PresentedKey | undefined> {
    const token = status === 401 ? bearerToken(headers.authorization) : undefined;
    if (token === undefined || this.searches.size >= MOST_AT_ONCE) return undefined;
    const search = this.findKey(token).catch(() => undefined);
    this.searches.add(search);
    try {
      return await search;
    } finally {
      this.searches.delete(search);
    }
  }

  /** Resolves when the searches under way have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.searches);
  }
}
