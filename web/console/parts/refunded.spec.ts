import { isRefunded } from './refunded.js';

describe('what was refunded', () => {
  const failed = { status: 'failed', httpStatus: 500, code: 'flow_failed', credits: 1 } as const;

  it('is what failed or was interrupted, and was paid for', () => {
    expect(isRefunded(failed)).toBe(true);
    expect(isRefunded({ ...failed, httpStatus: 200, code: 'interrupted' })).toBe(true);
    expect(isRefunded({ ...failed, credits: 0 })).toBe(false);
  });

  it('is not what was stopped, refused or done', () => {
    expect(isRefunded({ ...failed, status: 'aborted', httpStatus: 499, code: 'cancelled' })).toBe(false);
    expect(isRefunded({ ...failed, status: 'rejected', httpStatus: 402 })).toBe(false);
    expect(isRefunded({ ...failed, status: 'succeeded', httpStatus: 200 })).toBe(false);
  });
});
