import { checked } from '../../common/bodies/valid-body.decorator.js';
import { newExecutionId } from '../execution-id.js';
import { executionPage } from './execution-query.js';

const START = Date.parse('2026-10-01T00:00:00.000Z');

describe('the query of a list', () => {
  it.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '201' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: newExecutionId(START), sort: 'duration' }, 'cursor'],
    [{ cursor: `${newExecutionId(START)}_5` }, 'cursor'],
    [{ cursor: `${newExecutionId(START)}_x`, sort: 'duration' }, 'cursor'],
    [{ sort: 'size' }, 'sort'],
    [{ code: '' }, 'code'],
    [{ minDurationMs: '-1' }, 'minDurationMs'],
    [{ kind: 'other' }, 'kind'],
    [{ status: 'done' }, 'status'],
    [{ httpStatus: 'abc' }, 'httpStatus'],
    [{ httpStatus: '99' }, 'httpStatus'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-45' }, 'to'],
    [{ q: '' }, 'q'],
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ chatId: ['a', 'b'] }, 'chatId'],
    [{ flowId: { $ne: 'x' } }, 'flowId'],
  ])('is refused with 400 invalid_request when it is %j', (given, path) => {
    expect(() => checked(executionPage, given)).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'invalid_request',
        errors: [expect.objectContaining({ path: expect.stringMatching(new RegExp(`^${path}`)) })],
      }),
    );
  });
});
