import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AppConfig } from '../app-config.js';
import { Budget, declareBudget } from '../budgets/budget.js';
import { defaults } from '../environment.js';
import { Readiness, shuttingDown } from '../health/readiness.js';
import { AdminGuard } from './admin.guard.js';
import { clientAddress } from './client-address.js';
import { ProblemFilter } from './problem.filter.js';
import { isEventStream } from './unread-answers.js';

/** Below this many places an address may take all of them: they protect a small machine, not callers from each other. */
const LEAST_SHARE = 256;

const shareOf = (most: number): number => Math.max(Math.ceil(most / 2), Math.min(most, LEAST_SHARE));

const calls = declareBudget({
  name: 'calls under way',
  unit: 'calls',
  owner: 'address',
  share: shareOf(defaults.MAX_IN_FLIGHT),
  total: defaults.MAX_IN_FLIGHT,
  variable: 'MAX_IN_FLIGHT',
  beyond: '429 quota_exceeded; 503 overloaded beyond the total',
  reason:
    'Half: thirty clerks behind one address use a tenth of it, and no address can take the places of all others.',
});

const adminCalls = declareBudget({
  name: 'calls under way with the admin key',
  unit: 'calls',
  owner: 'caller',
  share: 200,
  beyond: '429 quota_exceeded',
  reason: 'Beside the places of all calls, so that admins can look and act when those are taken.',
});

const ADMIN = 'admin';

/** Limits the calls in flight, and waits for them at shutdown. */
@Injectable()
export class InFlight {
  private readonly calls = new Map<Response, Request>();
  private readonly places: Budget;
  private readonly adminPlaces = new Budget(adminCalls);

  constructor(
    { maxInFlight }: AppConfig,
    private readonly problems: ProblemFilter,
    private readonly readiness: Readiness,
    private readonly adminGuard: AdminGuard,
  ) {
    this.places = new Budget({ ...calls, share: shareOf(maxInFlight), total: maxInFlight });
  }

  /**
   * Sheds load before latency collapses. Beyond `MAX_IN_FLIGHT` calls the next is 503 `overloaded`, and 429
   * `quota_exceeded` for an address that has half of them, both with `Retry-After`. Calls with the admin key then have
   * places of their own, and health routes always answer. A bound method, because `app.setup` mounts it.
   */
  readonly limit = (request: Request, response: Response, next: NextFunction): void => {
    if (request.path.toLowerCase().startsWith('/health/')) return next();
    let leave: () => void;
    try {
      leave = this.placeOf(request);
    } catch (refusal) {
      this.problems.answer(refusal, request, response);
      return;
    }
    this.calls.set(response, request);
    response.once('close', () => {
      this.calls.delete(response);
      leave();
    });
    next();
  };

  /** Takes a place. Compares the admin key only for calls that got none. */
  private placeOf(request: Request): () => void {
    try {
      return this.places.take(clientAddress(request), 1);
    } catch (refusal) {
      if (this.adminGuard.holdsAdminKey(request)) return this.adminPlaces.take(ADMIN, 1);
      throw refusal;
    }
  }

  /**
   * Waits for the answers of all calls in flight within the time limit of a shutdown; the rest are answered 503
   * `shutting_down`. Does not wait for event streams, since shutdown waits for the runs that feed them.
   */
  async drain(): Promise<void> {
    const answers = [...this.calls.keys()].filter((answer) => !isEventStream(answer));
    this.readiness.onLastCallOver(() => this.refuse(answers.filter((answer) => !this.hasArrived(answer))));
    await this.readiness.waitFor(Promise.all(answers.map(closed)));
    this.refuse(answers);
  }

  /** Returns false for a call whose body has not arrived whole. */
  private hasArrived(answer: Response): boolean {
    return this.calls.get(answer)?.complete !== false;
  }

  private refuse(answers: readonly Response[]): void {
    for (const answer of answers) {
      const request = this.calls.get(answer);
      if (!request || answer.headersSent) continue;
      answer.setHeader('Connection', 'close');
      this.problems.answer(shuttingDown(), request, answer);
    }
  }
}

const closed = (answer: Response): Promise<void> =>
  new Promise((resolve) => {
    if (answer.closed) resolve();
    else answer.once('close', resolve);
  });
