import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics, log, limits, bodies and whoever sends a file all wait for the same end; Node warns of a leak at eleven. */
const MOST_LISTENERS = 30;

/** What operators watch, as Prometheus reads it. No label holds anything that a caller chose. */
@Injectable()
export class Metrics implements OnModuleDestroy {
  readonly registry = new Registry();
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

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts every call that passes through. */
  readonly count = (request: Request, response: Response, next: NextFunction): void => {
    const area = areaOf(request.path);
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

  onModuleDestroy(): void {
    this.registry.clear();
  }
}

const areas = new Set([
  ...[
    'prediction',
    'inspection',
    'pdf',
    'flows',
    'executions',
    'api-keys',
    'credit',
    'address-blocks',
    'credentials',
  ],
  ...['chatflows-streaming', 'public-chatbotConfig', 'chatmessage', 'feedback', 'leads', 'attachments'],
]);

/** The part of the API that a path belongs to: a label of few values, whatever callers send. */
function areaOf(path: string): string {
  const [, first = '', , third = ''] = path.split('/', 4);
  if (first === 'api') return areas.has(third) ? third : 'other';
  return first === 'health' || first === 'metrics' || first === 'docs' || first === 'chat' ? first : 'other';
}
