import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AppConfig } from '../app-config.js';
import { ProblemFilter } from './problem.filter.js';
import { Readiness, shuttingDown } from '../health/readiness.js';
import { Overloaded } from '../service-error.js';

/** Limits the calls under way, and waits for them when the service stops. */
@Injectable()
export class InFlight {
  private readonly calls = new Map<Response, Request>();

  constructor(
    private readonly config: AppConfig,
    private readonly problems: ProblemFilter,
    private readonly readiness: Readiness,
  ) {}

  /**
   * Sheds load before latency collapses: beyond `MAX_IN_FLIGHT` calls under way the next is 503 `overloaded` with
   * `Retry-After`, at once. Health routes always answer. Bound: `app.setup` mounts it.
   */
  readonly limit = (request: Request, response: Response, next: NextFunction): void => {
    if (request.path.toLowerCase().startsWith('/health/')) return next();
    if (this.calls.size >= this.config.maxInFlight) {
      this.problems.answer(tooMany(), request, response);
      return;
    }
    this.calls.set(response, request);
    response.once('close', () => this.calls.delete(response));
    next();
  };

  /**
   * Waits, within the time limit of a stop, for the answers of all calls under way; the rest are answered 503
   * `shutting_down`. Event streams are not waited for: the runs that feed them are.
   */
  async drain(): Promise<void> {
    const answers = [...this.calls.keys()].filter((answer) => !isEventStream(answer));
    this.readiness.onLastCallOver(() => this.refuse(answers.filter((answer) => !this.hasArrived(answer))));
    await this.readiness.waitFor(Promise.all(answers.map(closed)));
    this.refuse(answers);
  }

  /** False of a call whose body is still on its way. */
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

const isEventStream = (answer: Response): boolean =>
  answer.headersSent && String(answer.getHeader('Content-Type')).startsWith('text/event-stream');

const closed = (answer: Response): Promise<void> =>
  new Promise((resolve) => {
    if (answer.closed) resolve();
    else answer.once('close', resolve);
  });

const tooMany = () =>
  new Overloaded(
    'The service has as many calls under way as it can serve. Try again after the seconds in Retry-After.',
    1,
  );
