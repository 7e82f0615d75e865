import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import type { AppConfig } from '../app-config.js';
import type { Readiness } from '../health/readiness.js';
import type { AdminGuard } from './admin.guard.js';
import { InFlight } from './in-flight.js';
import type { ProblemFilter } from './problem.filter.js';

describe('the calls under way', () => {
  const open = (maxInFlight: number) => {
    const codes: string[] = [];
    const problems = { answer: ({ code }: { code: string }) => void codes.push(code) };
    const admins = { holdsAdminKey: ({ headers }: Request) => headers.authorization === 'Bearer admin' };
    const inFlight = new InFlight(
      { maxInFlight } as AppConfig,
      problems as unknown as ProblemFilter,
      {} as Readiness,
      admins as unknown as AdminGuard,
    );
    const call = (ip: string, { path = '/api/v1/flows', authorization = '' } = {}) => {
      const response = new EventEmitter();
      let passed = false;
      const request = { ip, path, headers: { authorization } } as unknown as Request;
      inFlight.limit(request, response as unknown as Response, () => (passed = true));
      return { passed, end: () => response.emit('close') };
    };
    return { call, codes };
  };

  it('leave half of the places to other addresses, and places of their own to admins and health routes', () => {
    const { call, codes } = open(512);
    const first = Array.from({ length: 257 }, () => call('10.0.0.1'));
    expect(first.filter(({ passed }) => passed)).toHaveLength(256);
    expect(Array.from({ length: 256 }, () => call('10.0.0.2').passed)).not.toContain(false);
    expect(call('10.0.0.3').passed).toBe(false);
    expect(codes).toEqual(['quota_exceeded', 'overloaded']);
    const admin = Array.from({ length: 201 }, () => call('10.0.0.1', { authorization: 'Bearer admin' }));
    expect(admin.filter(({ passed }) => passed)).toHaveLength(200);
    expect(call('10.0.0.1', { path: '/health/live' }).passed).toBe(true);
    first[0]!.end();
    expect(call('10.0.0.1').passed).toBe(true);
  });

  it('are all for one address where there are few', () => {
    const { call, codes } = open(2);
    expect([1, 2, 3].map(() => call('10.0.0.1').passed)).toEqual([true, true, false]);
    expect(codes).toEqual(['overloaded']);
  });

  it('of thirty clerks behind one address, whose phones send several at once, are all served', () => {
    const { call } = open(4_000);
    expect(Array.from({ length: 30 * 12 }, () => call('10.0.0.1').passed)).not.toContain(false);
  });
});
