import {
  type FakeEmbeddings,
  startFakeEmbeddings,
  wordVector,
} from '../../../../test/support/fake-embeddings.js';
import { Hold } from '../../../../test/support/fake-model.js';
import type { EmbeddingProvider } from '../../../api/model-provider-terms.js';
import { HttpEmbeddingModel } from './http-embedding-model.js';

const never = new AbortController().signal;

describe('a model that embeds', () => {
  let fake: FakeEmbeddings;

  beforeEach(async () => (fake = await startFakeEmbeddings()));
  afterEach(() => fake.close());

  const model = (provider: EmbeddingProvider = 'openai', longestMs = 60_000) =>
    new HttpEmbeddingModel({ provider, name: 'embedder', apiKey: 'sk-4711' }, fake.url, {
      firstWaitMs: 1,
      longestMs,
    });

  it.each([
    ['openai', '/v1/embeddings', 'Bearer sk-4711', 'embedder'],
    ['mistral', '/v1/embeddings', 'Bearer sk-4711', 'embedder'],
    ['ollama', '/v1/embeddings', 'Bearer sk-4711', 'embedder'],
    ['google', '/v1/models/embedder:batchEmbedContents', 'sk-4711', 'models/embedder'],
  ] as const)('of %s is asked by its protocol', async (provider, path, key, name) => {
    const vectors = await model(provider).embed(['the boiler', 'keys'], never);
    expect(fake.requests).toMatchObject([{ path, key, model: name, texts: ['the boiler', 'keys'] }]);
    const written = wordVector('keys');
    const length = Math.hypot(...written);
    expect(vectors).toHaveLength(2);
    expect([...vectors[1]!]).toEqual([...Float32Array.from(written, (number) => number / length)]);
  });

  it('puts vectors in the order of their numbers', async () => {
    const data = [1, 0].map((index) => ({ index, embedding: [index, 1] }));
    fake.answers = [{ raw: JSON.stringify({ data }) }];
    const [first] = await model().embed(['a', 'b'], never);
    expect([...first!]).toEqual([0, 1]);
  });

  it.each([
    [
      'a number of vectors that is not that of the texts',
      { vectors: () => [[1, 2]] },
      /sent 2 texts and answered 1/,
    ],
    [
      'numbers that are none',
      {
        vectors: () => [
          [1, null],
          [1, 2],
        ],
      },
      /not of numbers/,
    ],
    [
      'numbers beyond bounds',
      {
        vectors: () => [
          [1e200, 1e200],
          [1, 2],
        ],
      },
      /no direction/,
    ],
    [
      'zeros',
      {
        vectors: () => [
          [0, 0],
          [1, 2],
        ],
      },
      /no direction/,
    ],
    ['vectors of several dimensions', { vectors: () => [[1], [1, 2]] }, /different dimensions/],
    ['vectors of no dimension', { vectors: () => [[], []] }, /no vector/],
    ['a million values', { raw: `{"data":[${'[],'.repeat(1_000_000)}[]]}` }, /more numbers than vectors/],
    ['more dimensions than any', { dimensions: 9_000 }, /no vector/],
    [
      'one number twice',
      { raw: '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}' },
      /same index/,
    ],
    ['a web page', { raw: '<html></html>' }, /web page/],
    ['no JSON', { raw: 'gone' }, /no JSON: gone/],
    ['JSON that is no list', { raw: 'null' }, /no "data"/],
    ['nothing', { raw: '' }, /no JSON/],
  ])('is refused when it answers %s, and not asked again', async (_, answer, said) => {
    fake.otherwise = answer;
    await expect(model().embed(['a', 'b'], never)).rejects.toThrow(said);
    expect(fake.requests).toHaveLength(1);
  });

  it('is asked again when it asks for that', async () => {
    const error = { status: 429, message: 'slowly', headers: { 'retry-after': '0' } };
    fake.answers = [{ error }, { error }];
    expect(await model().embed(['a'], never)).toHaveLength(1);
    expect(fake.requests).toHaveLength(3);
  });

  it('is not waited for when it asks for a long pause, which is told', async () => {
    fake.answers = [{ error: { status: 429, message: 'slowly', headers: { 'retry-after': '3600' } } }];
    await expect(model().embed(['a'], never)).rejects.toMatchObject({
      mayPass: true,
      retryAfterMs: 3_600_000,
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('tells no key', async () => {
    fake.otherwise = { error: { status: 401, message: 'the key sk-4711 is wrong' } };
    const error = await model()
      .embed(['a'], never)
      .catch((thrown: Error) => thrown);
    expect((error as Error).message).toContain('401');
    expect((error as Error).message).not.toContain('4711');
  });

  it('that is too slow is given up', async () => {
    const held = new Hold();
    fake.otherwise = { held };
    await expect(model('openai', 50).embed(['a'], never)).rejects.toThrow(/took too long/);
    held.letGo();
  });

  it('that is not there may be there later', async () => {
    const asked = model();
    await fake.close();
    await expect(asked.embed(['a'], never)).rejects.toMatchObject({ fault: 'unreachable', mayPass: true });
    fake = await startFakeEmbeddings();
  });

  it('is left when its caller goes', async () => {
    const held = new Hold();
    fake.otherwise = { held };
    const caller = new AbortController();
    const asked = model().embed(['a'], caller.signal);
    caller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    held.letGo();
  });
});
