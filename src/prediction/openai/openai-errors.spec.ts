import { openAiError } from '../../api/openai.js';
import { QuotaExceeded } from '../../common/budgets/budget.js';
import { InvalidEncoding } from '../../common/texts/text-encoding.js';
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

  it('say that the whole body is not in its charset', () => {
    const body = openAiErrors.body(new InvalidEncoding(60, 'utf-8'), undefined);
    const { error } = openAiError.parse(body);
    expect(error.message).toMatch(/ The body is not utf-8 at byte 60\.$/);
    expect(error).toMatchObject({ param: null, errors: [{ offset: 60 }] });
  });
});
