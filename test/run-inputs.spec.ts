import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Clock } from '../src/common/clock.js';
import { RunInputs } from '../src/prediction/run/run-inputs.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const photograph = readFileSync(join(resolve(__dirname, '..'), 'samples', 'photographs', 'kitchen-1.jpg'));
const uri = (mime: string, bytes: Uint8Array) =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;

/** start → set-state → reply, with a state that each run changes. */
const counting = {
  name: 'Counting',
  vars: { tone: { value: 'plain' } },
  nodes: [
    { id: 'start', kind: 'start', config: { state: { last: '' } } },
    { id: 'set', kind: 'set-state', config: { state: { last: '{{question}}' } } },
    { id: 'reply', kind: 'reply', config: { message: 'Noted' } },
  ],
  edges: [
    { from: 'start', to: 'set' },
    { from: 'set', to: 'reply' },
  ],
};

describe('the input of a run', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  const inputs = () => service.app.get(RunInputs);
  const read = (executionId: string) => inputs().read(executionId, () => Promise.resolve());
  const blobs = async () => {
    const keys: string[] = [];
    for await (const { key } of service.app.get(BlobStore).blobsOf('inputs')) keys.push(key);
    return keys;
  };

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it('is read as it was sent, with the chat as it was before', async () => {
    const flow = await client.flow(counting);
    const said = { chatId: 'c' };
    await client.predict(flow, { question: 'first', ...said });
    const small = Buffer.from('a note');
    const large = randomBytes(100_000);
    const call = {
      question: 'second',
      ...said,
      form: { colour: 'red' },
      overrideConfig: { vars: { tone: 'warm' } },
      uploads: [
        { type: 'file:full', name: 'note.txt', mime: 'text/plain', data: uri('text/plain', small) },
        { type: 'audio', name: 'said.wav', mime: 'audio/wav', data: uri('audio/wav', large) },
      ],
    };
    const { executionId } = (await client.predict(flow, call)).body;
    await client.predict(flow, { question: 'third', ...said });
    const { body, remembered, state } = await read(executionId);
    expect(body).toMatchObject({ question: 'second', form: { colour: 'red' } });
    expect([...body.vars]).toEqual([['tone', 'warm']]);
    expect(
      body.uploads.map(({ name, bytes }) => [
        name,
        Buffer.from(bytes!).equals(name === 'note.txt' ? small : large),
      ]),
    ).toEqual([
      ['note.txt', true],
      ['said.wav', true],
    ]);
    expect([remembered, state]).toEqual([
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'Noted' },
      ],
      { last: 'first' },
    ]);
  });

  it('finds the photographs of the inspection, and stores those that were not recorded', async () => {
    const flow = await client.flow({
      name: 'Inspection',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'capture', kind: 'capture', config: { area: 'Kitchen' } },
      ],
      edges: [{ from: 'start', to: 'capture' }],
    });
    const before = await blobs();
    const bad = randomBytes(70_000);
    const upload = { type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: uri('image/jpeg', photograph) };
    const call = {
      question: '',
      chatId: 'p',
      uploads: [upload, { ...upload, name: 'bad.jpg', data: uri('image/jpeg', bad) }],
    };
    const { executionId } = (await client.predict(flow, call)).body;
    expect(await blobs()).toHaveLength(before.length + 1);
    const { uploads } = await read(executionId);
    const found = uploads.map(({ name, bytes }) => [name, bytes?.length]);
    expect(found).toEqual([
      ['a.jpg', photograph.length],
      ['bad.jpg', bad.length],
    ]);
  });

  it('of a replayed call or of an answer to its question is that of the call that began it', async () => {
    const flow = await client.flow({
      name: 'Asking',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'ask', kind: 'human-input', config: { message: 'May I?' } },
        { id: 'reply', kind: 'reply', config: { message: 'Done' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'reply', on: '0' },
      ],
    });
    const call = { question: 'Paint it', chatId: 'a', form: { colour: 'red' } };
    const key = { 'idempotency-key': 'twice' };
    const { action } = (await client.predict(flow, call, key)).body;
    const replayed = (await client.predict(flow, call, key)).headers.get('x-execution-id')!;
    const humanInput = { type: 'proceed', startNodeId: action.data.nodeId };
    const click = (await client.predict(flow, { chatId: 'a', humanInput })).body.executionId;
    await client.admin('GET', 'executions');
    for (const id of [replayed, click]) {
      const { body, remembered } = await read(id);
      expect([body.question, body.form, remembered]).toEqual(['Paint it', { colour: 'red' }, []]);
    }
  });

  it('is deleted with the record', async () => {
    const flow = await client.flow(counting);
    const upload = {
      type: 'audio',
      name: 'a.wav',
      mime: 'audio/wav',
      data: uri('audio/wav', randomBytes(90_000)),
    };
    const before = await blobs();
    const { executionId } = (await client.predict(flow, { question: 'x', uploads: [upload] })).body;
    expect(await blobs()).toHaveLength(before.length + 1);
    await client.admin('DELETE', `executions/${executionId}`);
    const clock = service.app.get(Clock);
    const now = jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + 3_700_000);
    // Stands for a store that cannot be reached, and for a process that is killed there.
    jest.spyOn(service.app.get(BlobStore), 'remove').mockRejectedValueOnce(new Error('away'));
    await expect(inputs().sweep()).rejects.toThrow('away');
    await inputs().sweep();
    now.mockRestore();
    expect(await blobs()).toEqual(before);
  });
});
