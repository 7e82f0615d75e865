import { ApiError, errorOf } from './api-error.js';
import { addressOf, segment } from './client.js';

describe('addresses of the API', () => {
  it('escape ids and filters', () => {
    expect(
      addressOf(`flows/${segment('../a b?#/')}`, { q: 'a&b=c', limit: 1, none: undefined, empty: '' }),
    ).toBe('/api/v1/flows/..%2Fa%20b%3F%23%2F?q=a%26b%3Dc&limit=1');
    expect(addressOf('executions')).toBe('/api/v1/executions');
  });
});

describe('what the API refuses', () => {
  const answer = (body: string, status = 400) => errorOf(new Response(body, { status }));

  it('is reported with its sentence, code and faults', async () => {
    const errors = [{ path: 'nodes.0', message: 'is odd' }, 'nonsense', { path: 1 }];
    const error = await answer(
      JSON.stringify({ code: 'invalid_flow', detail: 'No.', executionId: 'e1', errors }),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_flow', message: 'No.', executionId: 'e1' });
    expect(error.errors).toEqual([{ path: 'nodes.0', message: 'is odd' }]);
  });

  it.each(['<html>Bad gateway</html>', '', 'null', '[]', '"x"', '{"detail":5}'])(
    'is reported by its status when it is not a problem of the service: %s',
    async (body) => {
      const error = await answer(body, 502);
      expect(error.message).toBe('The service answered with status 502.');
      expect([error.status, error.code]).toEqual([502, 'unknown']);
    },
  );
});
