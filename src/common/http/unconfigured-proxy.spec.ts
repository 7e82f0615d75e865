import type { Request, Response } from 'express';
import { warnOfProxy } from './unconfigured-proxy.js';

it.each(['x-forwarded-for', 'forwarded'])(
  'a proxy that nobody configured is warned of once, by %s',
  (name) => {
    const warn = jest.fn();
    const look = warnOfProxy({ warn });
    const next = jest.fn();
    const call = (headers: Request['headers']) =>
      look({ headers, socket: { remoteAddress: '10.0.0.9' } } as Request, {} as Response, next);
    call({});
    expect(warn).not.toHaveBeenCalled();
    call({ [name]: 'for=203.0.113.7' });
    call({ [name]: 'for=203.0.113.8' });
    expect(warn.mock.calls).toEqual([[{ proxy: '10.0.0.9' }, expect.stringContaining('set TRUST_PROXY')]]);
    expect(next).toHaveBeenCalledTimes(3);
  },
);
