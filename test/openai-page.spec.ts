import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const root = resolve(__dirname, '..');

describe('docs/openai.md', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ env: { SAMPLES: 'on' } });
  });
  afterAll(() => service.close());

  it('has an example that works as shown', async () => {
    const page = readFileSync(resolve(root, 'docs/openai.md'), 'utf8');
    const [, example = ''] = /^```js\n([^]*?)^```/m.exec(page) ?? [];
    const code = example.replace('http://127.0.0.1:3000', service.url);
    expect(code).not.toBe(example);
    const options = ['--input-type=module', '--eval', code];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root });
    const client = new ServiceClient(() => service);
    const answerTo = async (question: string, chatId: string) =>
      (await client.predict('inspection-assistant', { question, chatId })).body.text as string;
    const answers = [await answerTo('Hello', 'x'), await answerTo('14 Acacia Avenue, Leeds LS1 4AP', 'x')];
    expect(stdout).toBe(`${answers.join('\n')}completed\n`);
  });
});
