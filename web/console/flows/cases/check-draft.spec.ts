import type { CaseCheck } from '../../../../src/api/cases.js';
import { draftOfCheck, emptyCheck, readCheck } from './check-draft.js';

describe('the form of a check', () => {
  it.each<CaseCheck>([
    { kind: 'contains', value: 'tea' },
    { kind: 'equals', value: '' },
    { kind: 'regex', value: '^a+$' },
    { kind: 'json', path: 'items.0', equals: { a: [1, null] } },
    { kind: 'schema', schema: { type: 'object' } },
    { kind: 'max', tokens: 10, ms: 0 },
    { kind: 'judge', rubric: 'polite', model: { provider: 'openai', name: 'x' } },
  ])('gives %j back unchanged', (check) => {
    expect(readCheck(draftOfCheck(check))).toEqual({ check });
  });

  it.each([
    emptyCheck('contains'),
    emptyCheck('judge'),
    emptyCheck('max'),
    { ...emptyCheck('max'), ms: 'soon' },
    { ...emptyCheck('json'), json: 'tea' },
    { ...emptyCheck('schema'), json: '[]' },
  ])('says what is missing in %j', (draft) => {
    expect(readCheck(draft)).toEqual({ fault: expect.stringMatching(/^Enter .*\.$/) });
  });
});
