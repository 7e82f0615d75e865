import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { withFile } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { ServiceClient } from './support/service-client.js';

const upload = (name: string) => ({
  type: 'file',
  name: `${name}.jpg`,
  mime: 'image/jpeg',
  data: `data:image/jpeg;base64,${readFileSync(samplePhotograph(name), 'base64')}`,
});

describe('photographs that come after the report in the chat of the inspection assistant', () => {
  let app: TestApp;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  });
  afterAll(() => app.close());

  /** Begins an inspection and makes its report. */
  const reported = async () => {
    const chatId = randomUUID();
    const say = async (question: string, ...names: string[]) => {
      const uploads = names.map(upload);
      const { status, body } = await client.predict('inspection-assistant', { question, chatId, uploads });
      expect(status).toBe(200);
      expect(body.text).not.toContain('{{');
      return { text: body.text as string, choices: (body.followUpPrompts ?? '') as string };
    };
    for (const words of ['interim at 1 Test Street, Leeds LS1 4AP', 'skip']) await say(words);
    await say('Hall', 'hallway');
    const first = await say('finish anyway');
    const reports = async () =>
      (await client.admin('GET', `pdf/reports?sessionId=${chatId}`)).body.data as Record<string, unknown>[];
    /** Returns the text of the report that an answer links to. */
    const printed = async ({ text }: { text: string }) => {
      const pdf = await fetch(/https?:\S+/.exec(text)![0]);
      return withFile(new Uint8Array(await pdf.arrayBuffer()), (path) =>
        execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }),
      );
    };
    return { say, first, reports, printed, chatId };
  };

  it('are added to the report as a new edition by one chip', async () => {
    const { say, first, reports } = await reported();
    expect(first.text).toMatch(/^Your report is ready/);
    expect(first.choices).toContain('Start the next inspection');
    const late = await say('Kitchen', 'kitchen-1');
    expect(late.text).toContain('1 photograph is not in the report yet.');
    expect(late.choices).toContain('Add to this report');
    expect((await say('what is missing?')).text).toContain('1 photograph is not in the report yet.');
    const added = await say('Add to this report');
    expect(added.text).toMatch(
      /^Edition 2 of your report, with 1 more photograph, is ready: http[^]*Photographs: 2\n/,
    );
    expect(added.choices).toContain('Start the next inspection');
    expect((await say('Add to this report')).text).toMatch(/No new photographs since your last report/);
    expect(await reports()).toMatchObject([
      { edition: 2, photographs: 2, reason: 'Photographs were added after the report was made.' },
      { edition: 1, photographs: 1 },
    ]);
  });

  it('are added together with the details that changed since, which the new edition names', async () => {
    const { say, first, printed, chatId } = await reported();
    expect(await printed(first)).toContain('1 Test Street');
    await say('inspector: Ada Late');
    await say('tenant: Tom Gone');
    await say('undo');
    const patch = { areaComments: { Hall: ['Smells of paint'] } };
    await client.admin('PATCH', `inspection/sessions/${chatId}/details`, patch);
    await say('Kitchen', 'kitchen-1');
    const second = await printed(await say('Add to this report'));
    expect(second).toMatch(/Changed in this edition[^]*Inspector[^]*Ada Late/);
    expect(second).toMatch(/Remarks, Hall[^]*Smells of paint/);
    expect(second).not.toContain('Tom Gone');
    // Printed details can no longer be undone, and a later edition does not list them again.
    expect((await say('undo')).text).toMatch(/in a finished report and stays in it/);
    await say('Bathroom', 'bathroom');
    const third = await printed(await say('Add to this report'));
    expect(third).toContain('Ada Late');
    expect(third.slice(third.indexOf('Changed in this edition'), third.indexOf('Contents'))).not.toContain(
      'Ada Late',
    );
  });

  it('are asked about before a second report is made of them', async () => {
    const { say, reports } = await reported();
    await say('Kitchen', 'kitchen-1');
    const asked = await say('finish');
    expect(asked.text).toContain('Shall I add it to the report, or make a separate report?');
    expect(asked.choices).toMatch(/Add to this report.*Make a separate report.*Carry on/);
    expect((await say('Make a separate report')).text).toMatch(/^Your report is ready[^]*Photographs: 1\n/);
    expect(await reports()).toMatchObject([{ edition: 1 }, { edition: 1 }]);
  });

  it('are of the next inspection after it has begun, and make a report of its own', async () => {
    const { say } = await reported();
    expect((await say('Start the next inspection')).text).toMatch(/start a new inspection/);
    for (const words of ['3 Third Lane', 'interim', 'skip']) await say(words);
    const first = await say('Kitchen', 'kitchen-1');
    expect(first.text).not.toContain('not in the report yet');
    expect((await say('add to this report')).text).not.toMatch(/^Edition/);
    expect((await say('finish anyway')).text).toMatch(/^Your report is ready[^]*Photographs: 1\n/);
  });
});
