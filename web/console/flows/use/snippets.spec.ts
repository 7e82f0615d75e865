import { curlFor, snippetsFor } from './snippets.js';

const access = { apiKeyId: null, allowedDomains: [], public: false, rateLimit: null };
const flow = { id: 'the-flow', access };
const keyed = { ...flow, access: { ...access, apiKeyId: 'k' } };

describe('the ways to use a flow', () => {
  it('include a curl command, with the key if it has one', () => {
    expect(curlFor('https://x.example', flow)).toBe(
      `curl 'https://x.example/api/v1/prediction/the-flow' -H 'Content-Type: application/json' -d '{"question": "Hello"}'`,
    );
    expect(curlFor('', keyed)).toContain('Bearer YOUR_API_KEY');
  });

  it('are those that the flow supports', () => {
    const ways = (one: Parameters<typeof curlFor>[1]) => snippetsFor('', one).map(({ id }) => id);
    expect(ways(flow)).toEqual(['curl', 'sdk', 'widget']);
    expect(ways({ ...flow, openai: true })).toEqual(['curl', 'sdk', 'widget', 'openai']);
    expect(ways(keyed)).toEqual(['curl', 'sdk', 'widget', 'openai']);
  });
});
