import { QuotaExceeded } from '../../common/budgets/budget.js';
import { openAiErrors } from './openai-errors.js';

describe('the errors for OpenAI’s clients', () => {
  it('let a caller whose share is used up retry within a minute, and not later', () => {
    const headers = (retryAfterSeconds: number) => {
      const error = new QuotaExceeded({ name: 'calls', owner: 'caller' }, retryAfterSeconds);
      return openAiErrors.headers(error, undefined);
    };
    expect(headers(60)).not.toHaveProperty('X-Should-Retry');
    expect(headers(61)).toHaveProperty('X-Should-Retry', 'false');
  });
});
