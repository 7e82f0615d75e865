import { type FakeModel, startFakeModel } from '../../../test/support/fake-model.js';
import { AppConfig } from '../../common/app-config.js';
import { Logger } from '../../common/logger.js';
import { CredentialSource } from '../credentials/credential-source.js';
import type { ModelEvent } from './language-model.js';
import { LanguageModels } from './language-models.js';

const KEY = 'sk-own/key+of-the-model-4711';

describe('a model that echoes its key', () => {
  let model: FakeModel;

  beforeAll(async () => {
    model = await startFakeModel();
  });
  afterAll(() => model.close());

  async function eventsOf(answer: FakeModel['answers'][number], key = KEY): Promise<ModelEvent[]> {
    model.answers.push(answer);
    const variables = {
      DEFAULT_MODEL_PROVIDER: 'openai-compatible',
      DEFAULT_MODEL_BASE_URL: model.url,
      DEFAULT_MODEL_NAME: 'fake',
      DEFAULT_MODEL_API_KEY: key,
    };
    const logger = new Logger('silent', false, process.stdout);
    const models = new LanguageModels(AppConfig.from(variables), new CredentialSource(), logger);
    const events: ModelEvent[] = [];
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    await models
      .model(undefined)
      .ask({ messages }, new AbortController().signal, (event) => void events.push(event));
    return events;
  }
  const textOf = (events: readonly ModelEvent[], type = 'text') =>
    events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');

  it('is masked in its text, in pieces and in other spellings', async () => {
    const pieces = ['Your key is s', ...KEY.slice(1).match(/.{1,5}/g)!, '. It is s'];
    expect(textOf(await eventsOf({ tokens: pieces }))).toBe('Your key is [masked]. It is s');
    for (const spelled of [
      KEY.toUpperCase(),
      encodeURIComponent(KEY),
      Buffer.from(KEY).toString('base64').replace(/=*$/, ''),
    ])
      expect(textOf(await eventsOf({ tokens: [spelled] }))).not.toContain(spelled);
  });

  it('is masked in its thoughts and in the arguments of its calls', async () => {
    const events = await eventsOf({
      thinking: [KEY],
      tokens: ['Let me see'],
      toolCalls: [{ name: 'look', arguments: JSON.stringify({ key: KEY }) }],
    });
    expect(textOf(events, 'thinking')).toBe('[masked]');
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({
      call: { name: 'look', arguments: { key: '[masked]' } },
    });
  });

  it('is not masked if it is the placeholder of a server that needs none', async () => {
    expect(textOf(await eventsOf({ tokens: ['I run in ollama'] }, 'ollama'))).toBe('I run in ollama');
  });
});
