import { AppConfig } from '../../common/app-config.js';
import { Logger } from '../../common/logger.js';
import { CredentialSource } from '../credentials/credential-source.js';
import { LanguageModels } from './language-models.js';

describe('the models of flows', () => {
  let lines: Record<string, unknown>[];

  function modelsWith(variables: Record<string, string> = {}): LanguageModels {
    lines = [];
    const output = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    const logger = new Logger('info', false, output);
    return new LanguageModels(AppConfig.from(variables), new CredentialSource(), logger);
  }

  const causes = () => lines.map(({ level, cause }) => [level, cause]);

  it('name the variable that is missing, and log it once', async () => {
    const models = modelsWith();
    const sentence =
      'No model is configured. Set DEFAULT_MODEL_NAME, DEFAULT_MODEL_PROVIDER and DEFAULT_MODEL_API_KEY, or give the node a model.';
    await expect(models.openModel(undefined)).rejects.toThrow(sentence);
    await expect(models.openModel(undefined)).rejects.toThrow(sentence);
    expect(causes()).toEqual([['warn', sentence]]);
  });

  it('name the key of the default model when its provider asks for one', async () => {
    const models = modelsWith({ DEFAULT_MODEL_NAME: 'one', DEFAULT_MODEL_PROVIDER: 'mistral' });
    await expect(models.openModel(undefined)).rejects.toThrow('Set DEFAULT_MODEL_API_KEY.');
    expect(causes()).toHaveLength(1);
  });

  it('name the credential that a node lacks or that does not exist', async () => {
    const models = modelsWith();
    await expect(models.openModel({ provider: 'openai', name: 'one' })).rejects.toThrow(
      'Give the model of the node a credentialId.',
    );
    await expect(models.openModel({ provider: 'openai', name: 'one', credentialId: 'gone' })).rejects.toThrow(
      'There is no credential "gone".',
    );
    expect(causes()).toEqual([
      ['warn', expect.stringContaining('credentialId')],
      ['warn', expect.stringContaining('"gone"')],
    ]);
  });

  it('are opened when they are first asked, and once', async () => {
    const models = modelsWith();
    const model = models.model(undefined);
    expect(causes()).toEqual([]);
    const ask = () => model.ask({ messages: [] }, new AbortController().signal, () => undefined);
    await expect(ask()).rejects.toThrow('No model is configured.');
    await expect(ask()).rejects.toThrow('No model is configured.');
    expect(causes()).toHaveLength(1);
  });

  it.each([
    [{ DEFAULT_MODEL_NAME: 'one', DEFAULT_MODEL_PROVIDER: 'ollama' }],
    [{ DEFAULT_MODEL_NAME: 'one', DEFAULT_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' }],
  ])('ask for no key where the server may need none: %j', async (variables) => {
    await expect(modelsWith(variables).openModel(undefined)).resolves.toBeDefined();
    expect(lines).toEqual([]);
  });
});
