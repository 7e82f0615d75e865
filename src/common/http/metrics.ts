import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { RouteTable } from './route-table.js';

/**
 * Metrics, log, limits, bodies and file senders each listen for the end of one response; Node warns of a leak at
 * eleven.
 */
const MOST_LISTENERS = 30;

/** Prometheus metrics. No label holds a value that a caller chose. */
@Injectable()
export class Metrics implements OnModuleDestroy {
  readonly registry = new Registry();
  private readonly areas = new Set<string>();
  private readonly calls = new Counter({
    name: 'http_requests_total',
    help: 'Answered HTTP calls by area of the API, method and status.',
    labelNames: ['area', 'method', 'status'] as const,
    registers: [this.registry],
  });
  private readonly seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a call to the end of its answer.',
    labelNames: ['area'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  });
  private readonly inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Calls under way.',
    registers: [this.registry],
  });

  /** Takes the areas from the declared routes, so that the label has few values whatever callers send. */
  constructor(table: RouteTable) {
    for (const { path } of table.routes) this.areas.add(areaKeyOf(path));
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts every call that passes through. */
  readonly count = (request: Request, response: Response, next: NextFunction): void => {
    const area = this.areaOf(request.path);
    const end = this.seconds.startTimer({ area });
    this.inFlight.inc();
    response.setMaxListeners(MOST_LISTENERS);
    response.once('close', () => {
      this.inFlight.dec();
      end();
      this.calls.inc({ area, method: request.method, status: String(response.statusCode) });
    });
    next();
  };

  /** Adds a gauge that is read at each scrape. */
  addGauge(name: string, help: string, read: () => number): void {
    const registers = [this.registry];
    new Gauge({
      name,
      help,
      registers,
      collect: function () {
        this.set(read());
      },
    });
  }

  /** Adds a counter that is read at each scrape. */
  addCounter(name: string, help: string, read: () => number): void {
    const registers = [this.registry];
    new Counter({
      name,
      help,
      registers,
      collect: function () {
        this.reset();
        this.inc(read());
      },
    });
  }

  private areaOf(path: string): string {
    const key = areaKeyOf(path);
    return (this.areas.has(key) && key.split('/').at(-1)) || 'other';
  }

  onModuleDestroy(): void {
    this.registry.clear();
  }
}

/** Returns the area of a path: `api/prediction`, `health`. Case does not matter, as in the router. */
function areaKeyOf(path: string): string {
  const [, first = '', , third = ''] = path.toLowerCase().split('/', 4);
  return first === 'api' ? `api/${third}` : first;
}
