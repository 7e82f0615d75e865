import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessibility.js';
import { holds } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { putExecutions, putTrace } from './support/execution-rows.js';
import { executionsPage } from './support/executions-page.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE =
  '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202E{{question}} javascript:alert(1)';

describeInBrowser('an execution in the console', () => {
  const fixture = consoleFixture();
  const { client, open, heading } = fixture;
  const { flows, rowWith, choose, search, failYesterday } = executionsPage(fixture);

  it('shows within a few clicks why yesterday’s chat failed', async () => {
    await failYesterday('447700900123');
    const { page } = await open('/console');
    await heading('Executions').waitFor();
    await page.getByRole('searchbox', { name: 'Chat id' }).fill('447700900123');
    await choose('Time', 'Yesterday');
    await page.waitForURL(/chatId=447700900123.*from=/);
    // A click would be lost while the list of before gives way to the filtered one, which comes with this button.
    await page.getByRole('button', { name: /Yesterday\s*Time$/ }).waitFor();
    await rowWith('Think: The model fake answered with status 429: quota exhausted.').click();

    await heading('Prediction of Tenancy questions').waitFor();
    const verdict = page.getByRole('region', { name: 'Outcome' });
    await expectSoon(() => verdict.innerText()).toContain(
      'Think failed: The model fake answered with status 429: quota exhausted.',
    );
    await verdict.getByRole('button', { name: 'Show the node' }).click();
    const node = page.getByRole('region', { name: 'Node Think' });
    await node.getByText('I paid on Friday.').waitFor();
    const picture = page.getByRole('group', { name: 'Picture of the flow' });
    await picture.getByRole('button', { name: 'Think Language model , failed in 2.48 s' }).waitFor();
    // Late parts may move the picture under the pointer, and a click that ends elsewhere does not count.
    const started = page.getByRole('region', { name: 'Node Start' });
    await eventually(async () => {
      await picture.getByRole('button', { name: 'start Start' }).click();
      return started.isVisible();
    });
    await page.getByRole('region', { name: 'The same chat' }).getByText('Capture').waitFor();
    await expectAccessible(page);

    await page.keyboard.press('Escape');
    await heading('Executions').waitFor();
    await expectSoon(async () => search()).toMatchObject({ chatId: '447700900123' });
  });

  it('follows a running execution, and cancels it', async () => {
    fixture.model.answers.push({ tokens: Array<string>(600).fill('word '), held: new Hold(), heldAfter: 20 });
    const call = client.predict(flows.chat, { question: 'Take your time', chatId: 'slow-1' });
    const { page } = await open('/console/executions?chatId=slow-1');
    await rowWith('Running').click();
    await page.getByText('Running for').waitFor();
    await page.getByRole('region', { name: 'Outcome' }).getByText('Think').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByText('Stopped before it finished: An admin or the caller cancelled it.').waitFor();
    await call;
    await page.getByRole('button', { name: 'Delete the record' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await heading('Executions').waitFor();
    expect((await client.admin('GET', 'executions?chatId=slow-1')).body.data).toEqual([]);
  });

  it('links a chat to its photographs and its report', async () => {
    const form = new FormData();
    form.set('sessionId', 'inspected-1');
    form.set('area', 'Kitchen');
    form.set('photographs', new Blob([await readFile('samples/photographs/kitchen-1.jpg')]), 'kitchen.jpg');
    await client.send('POST', `/api/v1/inspection/capture?flowId=${flows.echo}`, form);
    const source = { type: 'inspection', sessionId: 'inspected-1', meta: { postcode: 'LS1 4AP' } };
    const render = { templateId: 'inspection', source };
    expect((await client.send('POST', '/api/v1/pdf/render', render)).status).toBe(200);
    await client.predict(flows.echo, { question: 'Thank you', chatId: 'inspected-1' });
    const { page } = await open('/console/executions?chatId=inspected-1');
    await rowWith('Render').waitFor();
    await rowWith('You said: Thank you').click();
    const same = page.getByRole('region', { name: 'The same chat' });
    await same.getByRole('link', { name: /Capture/ }).click();
    await heading('Capture of Echo').waitFor();
    await expectSoon(() => page.getByRole('heading', { name: 'Question' }).count()).toBe(0);
    const report = await same.getByRole('link', { name: /\.pdf$/ }).getAttribute('href');
    const pdf = await fetch(report!);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    await pdf.arrayBuffer();
    await same.getByRole('link', { name: 'Inspection: 1 photograph, 0 pending' }).click();
    await page.waitForURL(`**/console/inspections/inspected-1?flowId=${flows.echo}`);
  });

  it('runs again with another question, and states the price', async () => {
    const failed = await failYesterday('again-1');
    fixture.model.answers.push({ tokens: ['It', ' is', ' settled.'], tokenMs: 150 });
    const { page } = await open(`/console/executions/${failed}`);
    await page.getByRole('button', { name: 'Run again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run again' });
    await dialog.getByText('This run costs 1 credit, charged to “default”.').waitFor();
    await dialog.getByText('It starts a new chat.').waitFor();
    await dialog.getByText('The files, form and history of the first call are sent again').waitFor();
    await expectSoon(() => dialog.getByLabel('Question').inputValue()).toBe('I paid on Friday.');
    await dialog.getByLabel('Question').fill('I paid on Saturday.');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByRole('region', { name: 'Answer' }).getByText('It is settled.').waitFor();
    await dialog.getByText('Succeeded', { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Open this execution' }).click();
    await page.getByRole('region', { name: 'question' }).getByText('I paid on Saturday.').waitFor();
    const made = page.url().split('/').at(-1)!;
    const { body } = await client.admin('GET', `executions/${made}`);
    expect(body).toMatchObject({ status: 'succeeded', credits: 1, question: 'I paid on Saturday.' });
    expect(body.chatId).not.toBe('again-1');

    fixture.model.answers.push({ error: { status: 401, message: 'no such key' } });
    await page.getByRole('button', { name: 'Run again' }).click();
    await dialog.getByText('In the same chat').click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('Failed', { exact: true }).waitFor();
    await dialog.getByText('Think:').waitFor();
    expect((await client.admin('GET', `executions?chatId=${body.chatId}`)).body.data).toHaveLength(2);
  });

  it('shows hostile content as text everywhere', async () => {
    const startedAt = fixture.service.clock.now() - 2_000;
    const [id] = await putExecutions(fixture.service, [
      {
        startedAt,
        chatId: HOSTILE,
        flowId: 'gone-flow',
        flowName: HOSTILE,
        status: 'failed',
        code: HOSTILE,
        error: HOSTILE,
        failedNode: { id: '__proto__', label: HOSTILE },
        question: HOSTILE,
        answer: HOSTILE,
      },
    ]);
    await putTrace(fixture.service, id!, startedAt, [
      {
        nodeId: 'constructor',
        label: HOSTILE,
        kind: 'toString',
        input: HOSTILE,
        output: { branch: HOSTILE },
      },
      { nodeId: '__proto__', label: HOSTILE, kind: HOSTILE, status: 'valueOf', output: { __html: HOSTILE } },
    ]);
    const { page } = await open(`/console/executions?chatId=${encodeURIComponent(HOSTILE)}`);
    await rowWith('<img src=x').click();
    await page.getByRole('region', { name: 'Outcome' }).getByText('<script>').waitFor();
    await page.getByText('The flow was deleted. The picture shows only what ran.').waitFor();
    await page.getByRole('group', { name: 'Picture of the flow' }).getByRole('button').first().click();
    await page.getByRole('region', { name: `input of ${HOSTILE}` }).waitFor();
    await expectSoon(() => page.locator('img[src=x], #content script').count()).toBe(0);
    await expectSoon(() => page.title()).toContain('<img');
    await expectAccessible(page);
  });

  it('stays responsive with a node output of 5 MB, folded and copied whole', async () => {
    const startedAt = fixture.service.clock.now() - 2_000;
    const [id] = await putExecutions(fixture.service, [{ startedAt, flowId: flows.echo, chatId: 'large' }]);
    const output = { rows: Array.from({ length: 50_000 }, (_, row) => ({ row, text: 'x'.repeat(80) })) };
    await putTrace(fixture.service, id!, startedAt, [{ nodeId: 'reply', label: 'Large', output }]);
    const { page } = await open(`/console/executions/${id}`);
    const text = page.getByRole('region', { name: 'output of Large' });
    await text.waitFor();
    await expectSoon(async () => (await text.innerText()).length).toBeLessThan(4_000);
    await page.getByRole('button', { name: 'Show more' }).click();
    await holds(
      page,
      'document.querySelectorAll("pre")[1]?.innerText.length > 50000 || document.querySelectorAll("pre")[0].innerText.length > 50000',
    );
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save output of Large as a file' }).click();
    const saved = await readFile(await (await saving).path(), 'utf8');
    expect(JSON.parse(saved).rows).toHaveLength(50_000);
  });
});
