import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { ServiceError } from '../../common/service-error.js';
import type { StreamForm } from '../call/answer-form.js';
import { streamTo } from './event-stream.js';
import { FrameLog } from './frame-log.js';
import { predictionForm } from './prediction-form.js';

/** A response whose reader takes nothing while `full` is true. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = [];
  full = false;
  closed = false;
  writableEnded = false;
  headers: Record<string, string> = {};

  readonly req = { method: 'GET' };

  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  flushHeaders(): void {}

  write(text: string): boolean {
    this.written.push(text);
    return !this.full;
  }

  end(): void {
    this.writableEnded = true;
    this.destroy();
  }

  destroy(): void {
    if (this.closed) return;
    this.closed = true;
    this.emit('close');
  }
}

const budget = { limit: () => 1000, burst: () => 4000, grew: () => undefined, changed: () => undefined };

function open(after = 0, form: StreamForm = predictionForm.stream('e')) {
  const response = new FakeResponse();
  const log = new FrameLog('e', 'f', '0'.repeat(32), budget, form);
  const say = (data: string) => log.append({ event: 'token', data });
  const start = () => streamTo(response as unknown as Response, log, after);
  return { response, log, say, start };
}

describe('the stream to one reader', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('sends what is there, what comes, and closes behind the last frame', () => {
    const { response, log, say, start } = open();
    say('a');
    start();
    say('b');
    expect(response.written).toEqual([log.frame(1), log.frame(2)]);
    log.end();
    expect(response.writableEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('begins after the event that was seen last', () => {
    const { response, log, say, start } = open(1);
    say('a');
    say('b');
    start();
    expect(response.written).toEqual([log.frame(2)]);
  });

  it('sends a heartbeat every 15 seconds', () => {
    const { response, start } = open();
    start();
    jest.advanceTimersByTime(45_000);
    expect(response.written).toEqual([':heartbeat\n\n', ':heartbeat\n\n', ':heartbeat\n\n']);
  });

  it('writes nothing more to a reader that is full until it has read', () => {
    const { response, say, start } = open();
    start();
    response.full = true;
    say('a');
    say('b');
    jest.advanceTimersByTime(1_000);
    expect(response.written).toHaveLength(1);
    response.full = false;
    response.emit('drain');
    expect(response.written).toHaveLength(2);
  });

  it('cuts off a reader that stalls while the log has to drop what it has not read', () => {
    const { response, say, start } = open();
    start();
    response.full = true;
    for (let n = 0; n < 25; n++) say('x'.repeat(50));
    expect(response.closed).toBe(false);
    jest.advanceTimersByTime(2_001);
    expect(response.closed).toBe(true);
    expect(response.writableEnded).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('cuts off a reader that takes nothing for a minute, also when the run is over', () => {
    const { response, log, say, start } = open();
    start();
    response.full = true;
    say('a');
    say('b');
    log.end();
    jest.advanceTimersByTime(46_000);
    expect(response.closed).toBe(false);
    jest.advanceTimersByTime(15_000);
    expect(response.closed).toBe(true);
  });

  it('sends what follows the last frame one by one, as the reader takes it, however much it is', () => {
    const made: string[] = [];
    const form: StreamForm = {
      resumes: false,
      frame: () => undefined,
      closing: () => ['last'],
      *rest() {
        for (const name of ['one', 'two']) {
          made.push(name);
          yield name.repeat(10_000);
        }
      },
    };
    const { response, log, start } = open(0, form);
    start();
    response.full = true;
    log.close({ error: new ServiceError('flow_failed', 'It failed.') });
    expect([response.written, made]).toEqual([['last'], []]);
    response.emit('drain');
    expect([response.written.length, made]).toEqual([2, ['one']]);
    response.full = false;
    response.emit('drain');
    expect([response.written.length, made, response.writableEnded]).toEqual([3, ['one', 'two'], true]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
