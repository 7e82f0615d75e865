import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { replyNode } from '../nodes/reply.node.js';
import { startNode } from '../nodes/start.node.js';
import { FlowFiles } from './flow-files.js';
import { FlowStore } from './flow-store.js';
import { FlowWrites } from './flow-writes.js';

let database: TestDatabase;
let store: FlowStore;
let writes: FlowWrites;
let files: FlowFiles;
let folder: string;
let secrets: Secrets;
const kinds = new NodeKindRegistry();
kinds.register(startNode);
kinds.register(replyNode);

beforeEach(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'flows-'));
  secrets = await Secrets.open(AppConfig.from({ DATA_DIR: folder }), database.logger);
  store = new FlowStore(database.reader, kinds);
  writes = writesOf(store);
  files = new FlowFiles(database.config, database.logger, kinds, store, writes);
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

const writesOf = (of: FlowStore) => new FlowWrites(of, database.gate, new Clock(), secrets);

const definition = (more: Partial<FlowDefinition> = {}): FlowDefinition => ({
  id: 'greeter',
  name: 'Greeter',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message: 'Hello' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  ...more,
});

const countStatements = () => {
  const one = jest.spyOn(database.reader, 'one');
  const all = jest.spyOn(database.reader, 'all');
  return () => one.mock.calls.length + all.mock.calls.length;
};

describe('the flow store', () => {
  it('finds what was created, with every default in place', async () => {
    await writes.create(definition());
    expect(await store.find('greeter')).toMatchObject({
      id: 'greeter',
      name: 'Greeter',
      price: 1,
      account: 'default',
      access: { apiKeyId: null, allowedDomains: [], public: false, rateLimit: null },
      streamable: true,
    });
  });

  it('needs one statement a call, and parses and compiles a flow once', async () => {
    await writes.create(definition());
    const first = await store.find('greeter');
    const statements = countStatements();
    const second = await store.find('greeter');
    expect(statements()).toBe(1);
    expect(second).toBe(first);
    expect(second!.graph).toBe(first!.graph);
  });

  it('sees at once what another process changed or removed', async () => {
    await writes.create(definition());
    const other = writesOf(new FlowStore(database.reader, kinds));
    expect((await store.find('greeter'))?.name).toBe('Greeter');
    await other.replace('greeter', definition({ name: 'Changed' }));
    expect((await store.find('greeter'))?.name).toBe('Changed');
    await other.remove('greeter');
    expect(await store.find('greeter')).toBeUndefined();
    await other.create(definition({ name: 'Again' }));
    expect((await store.find('greeter'))?.name).toBe('Again');
  });

  it('knows no flow by a text that is no id, and asks the database nothing', async () => {
    const statements = countStatements();
    for (const id of ['', 'a', '../x', "x' OR 1=1 --", 'a\0b', 'x'.repeat(65), '__proto__'])
      expect(await store.find(id)).toBeUndefined();
    expect(statements()).toBe(0);
  });

  it('does not create a second flow with one id', async () => {
    expect(await writes.create(definition())).toBeDefined();
    expect(await writes.create(definition())).toBeUndefined();
    expect((await writes.create(definition({ id: undefined })))?.flow.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('lists newest first, page by page', async () => {
    for (const id of ['aaa', 'bbb', 'ccc']) await writes.create(definition({ id }));
    const first = await store.list(2);
    const after = { createdAt: first[1]!.createdAt, id: first[1]!.flow.id };
    const second = await store.list(2, after);
    expect([...first, ...second].map(({ flow }) => flow.id).sort()).toEqual(['aaa', 'bbb', 'ccc']);
  });
});

describe('flows in files', () => {
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

  it('are created at start, named by their file where they have no id', async () => {
    write('greeter.json', definition());
    write('second.json', definition({ id: undefined, name: 'Second' }));
    write('notes.txt', 'not a flow');
    await files.load([folder]);
    expect((await store.find('greeter'))?.name).toBe('Greeter');
    expect((await store.find('second'))?.name).toBe('Second');
  });

  it('may begin with a byte order mark', async () => {
    writeFileSync(join(folder, 'marked.json'), `\ufeff${JSON.stringify(definition({ id: 'marked' }))}`);
    await files.load([folder]);
    expect((await store.find('marked'))?.name).toBe('Greeter');
  });

  it('are updated when the file changed, and only then: an edit of an admin stays', async () => {
    write('greeter.json', definition());
    await files.load([folder]);
    await writes.replace(
      'greeter',
      definition({ name: 'Edited', access: { apiKeyId: 'key' }, enabled: false }),
    );
    await files.load([folder]);
    expect((await store.find('greeter'))?.name).toBe('Edited');

    write('greeter.json', definition({ name: 'New version' }));
    await files.load([folder]);
    const flow = await store.find('greeter');
    expect([flow?.name, flow?.version]).toEqual(['New version', 1]);
    write('greeter.json', definition({ nodes: [{ id: 'start', kind: 'start' }], edges: [] }));
    await files.load([folder]);
    expect((await store.find('greeter'))?.version).toBe(2);
    expect([flow?.access.apiKeyId, flow?.definition.enabled]).toEqual(['key', false]);
  });

  it('leave a flow alone that an admin made under the same id', async () => {
    await writes.create(definition({ name: 'By hand' }));
    write('greeter.json', definition());
    await files.load([folder]);
    expect((await store.find('greeter'))?.name).toBe('By hand');
  });

  it('take precedence over those of an earlier folder with the same id, at the first start and later ones', async () => {
    write('greeter.json', definition({ name: 'Sample' }));
    const own = join(folder, 'own');
    mkdirSync(own);
    write('own/greeter.json', definition({ name: 'Customised' }));
    await files.load([folder, own]);
    expect((await store.find('greeter'))?.name).toBe('Customised');
    await writes.replace('greeter', definition({ name: 'Edited' }));
    await files.load([folder, own]);
    expect((await store.find('greeter'))?.name).toBe('Edited');
  });

  it('stop the start when two of one folder have the same id', async () => {
    write('greeter.json', definition());
    write('copy.json', definition());
    await expect(files.load([folder])).rejects.toThrow(/greeter\.json: has the id "greeter"[^]*copy\.json/);
    expect(await store.find('greeter')).toBeUndefined();
  });

  it('stop the start when one is broken, naming the file and its faults', async () => {
    write('greeter.json', definition({ edges: [{ from: 'start', to: 'gone' }] }));
    await expect(files.load([folder])).rejects.toThrow(/greeter\.json[^]*edges\.0\.to/);
    write('greeter.json', '{ "name": ');
    await expect(files.load([folder])).rejects.toThrow(/greeter\.json[^]*not JSON/);
    writeFileSync(join(folder, 'other.json'), '{}');
    await expect(files.load([folder])).rejects.toThrow(/greeter\.json[^]*not JSON[^]*other\.json[^]*nodes/);
  });

  it('stop the start when their folder cannot be read, naming the variable and what to do', async () => {
    const typo = join(folder, 'typo');
    await expect(files.load([typo])).rejects.toThrow(`FLOWS_DIR: flows cannot be read in ${typo} (ENOENT`);
    await expect(files.load([typo])).rejects.toThrow('Name a folder that exists');
  });
});
