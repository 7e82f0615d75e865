import { randomBytes } from 'node:crypto';
import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { Clock } from '../../common/clock.js';
import type { Secrets } from '../../common/secrets/secrets.js';
import { contentOf, type FlowDefinition } from '../definition/flow-definition.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { FlowDrafts } from './flow-drafts.js';
import { FlowStore } from './flow-store.js';
import { FlowVersions } from './flow-versions.js';
import { FlowWrites } from './flow-writes.js';
import { withMaskedSettings } from './sealed-settings.js';

const secrets = { credentialsKey: randomBytes(32) } as unknown as Secrets;

const replica = ({ reader, gate }: TestDatabase) => {
  const store = new FlowStore(reader, new NodeKindRegistry());
  const clock = new Clock();
  const writes = new FlowWrites(store, gate, clock, secrets);
  const drafts = new FlowDrafts(reader, gate, clock, writes);
  return { store, writes, drafts, versions: new FlowVersions(reader) };
};

async function openReplicas(kind: (typeof databases)[number]) {
  const database = await openTestDatabase(kind);
  const other = await openTestDatabase(kind, { place: database.place });
  const close = async () => {
    await other.close({ keep: true });
    await database.close();
  };
  return { database, here: replica(database), there: replica(other), close };
}

let count = 0;
const flow = (message: string, more: Partial<FlowDefinition> = {}): FlowDefinition => ({
  id: `flow-${count}`,
  name: 'Greeter',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  ...more,
});
beforeEach(() => void count++);

describe.each(databases)('versions of flows on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openReplicas(kind));
  const id = () => `flow-${count}`;

  rule(
    'are made by a change of the definition, not of the settings',
    async ({ here: { writes, versions } }) => {
      expect((await writes.create(flow('one')))?.flow.version).toBe(1);
      const priced = await writes.replace(id(), flow('one', { price: 5 }), { author: 'Ada' });
      expect([priced?.flow.version, priced?.flow.price]).toEqual([1, 5]);
      expect((await writes.replace(id(), flow('two', { price: 5 })))?.flow.version).toBe(2);
      expect((await writes.replace(id(), flow('two', { price: 5 })))?.flow.version).toBe(2);
      expect((await versions.list(id(), 10)).map(({ version }) => version)).toEqual([2, 1]);
      const changes = await versions.settingChanges(id(), 10);
      expect(changes).toEqual([
        expect.objectContaining({ setting: 'price', was: null, became: '5', author: 'Ada' }),
      ]);
    },
  );

  rule(
    'are not made by a draft that changes nothing, unless it is named',
    async ({ here: { writes, drafts, versions } }) => {
      await writes.create(flow('one'));
      const publish = async (words: { name?: string }) => {
        await drafts.save(id(), contentOf(flow('one')), 'any');
        const draft = (await drafts.find(id()))!;
        expect(await drafts.publish(draft, contentOf(flow('one')), words)).toEqual({ done: undefined });
        expect(await drafts.find(id())).toBeUndefined();
        return (await versions.list(id(), 10)).map(({ version, name }) => [version, name]);
      };
      expect(await publish({})).toEqual([[1, null]]);
      expect(await publish({ name: 'Checked' })).toEqual([
        [2, 'Checked'],
        [1, null],
      ]);
    },
  );

  rule('have one number each when two replicas publish at once', async ({ here, there, database }) => {
    await here.writes.create(flow('first'));
    const puts = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? here : there).writes.replace(id(), flow(`text ${index}`)),
    );
    await Promise.all(puts);
    const numbers = (await here.versions.list(id(), 100)).map(({ version }) => version);
    expect(numbers).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index));
    expect((await there.store.find(id()))?.version).toBe(21);

    const draft = await here.drafts.save(id(), contentOf(flow('draft')), 'any');
    if (!('done' in draft)) throw new Error('not saved');
    const publish = ({ drafts }: typeof here) => drafts.publish(draft.done, contentOf(flow('draft')), {});
    const done = await Promise.all([publish(here), publish(there)]);
    expect(done.filter((write) => 'done' in write)).toHaveLength(1);
    expect(done.filter((write) => 'missing' in write && write.missing === 'draft')).toHaveLength(1);
    const rows = await database.reader.all('SELECT version FROM flow_versions WHERE flow_id = ?', [id()]);
    expect(rows).toHaveLength(22);
  });

  rule(
    'are published by an import that replaces a flow, which keeps its settings and draft',
    async ({ here }) => {
      await here.writes.create(flow('one', { price: 7 }));
      await here.drafts.save(id(), contentOf(flow('draft')), 'any');
      const imported = { ...flow('imported', { name: 'Other', price: 1 }), id: id() };
      expect(await here.writes.saveAll([imported], new Set())).toEqual(new Set([id()]));
      expect((await here.store.find(id()))?.version).toBe(1);
      await here.writes.saveAll([imported], new Set([id()]));
      expect(await here.store.find(id())).toMatchObject({ version: 2, price: 7, name: 'Greeter' });
      expect((await here.drafts.find(id()))?.definition).toContain('draft');
      expect(await here.versions.settingChanges(id(), 10)).toEqual([]);
    },
  );

  rule('never lose the draft of another author', async ({ here, there }) => {
    const made = await here.writes.create(flow('one'));
    const begin = new Set([made!.flow.revision]);
    const [ada, bob] = await Promise.all([
      here.drafts.save(id(), contentOf(flow('from Ada')), begin, 'Ada'),
      there.drafts.save(id(), contentOf(flow('from Bob')), begin, 'Bob'),
    ]);
    const refused = [ada, bob].filter((write) => 'changed' in write);
    expect(refused).toHaveLength(1);
    const winner = 'done' in ada ? 'Ada' : 'Bob';
    expect(refused).toEqual([{ changed: expect.objectContaining({ author: winner }) }]);
    expect((await here.drafts.find(id()))?.definition).toContain(`from ${winner}`);
    expect((await here.store.find(id()))?.version).toBe(1);
  });

  rule('restore an old definition into the draft, and no setting', async ({ here }) => {
    const { writes, drafts, store } = here;
    await writes.create(flow('old', { access: { apiKeyId: 'revoked' } }));
    await writes.replace(id(), flow('new', { access: { apiKeyId: 'current' } }));
    await drafts.restore(id(), 1, 'any', 'Ada');
    const draft = (await drafts.find(id()))!;
    expect(draft).toMatchObject({ author: 'Ada', basedOn: 2 });
    await drafts.publish(draft, JSON.parse(draft.definition), {});
    const now = await store.find(id());
    expect([now?.version, now?.access.apiKeyId]).toEqual([3, 'current']);
    expect(now?.definition.nodes[1]?.config).toEqual({ message: 'old' });
    expect(await drafts.restore(id(), 9, 'any')).toEqual({ missing: 'version' });
  });

  rule('are found at their number with the settings of now', async ({ here: { writes, store } }) => {
    await writes.create(flow('one', { price: 1 }));
    await writes.replace(id(), flow('two', { price: 7 }));
    const first = await store.findAtVersion(id(), 1);
    expect(first).toMatchObject({ version: 1, price: 7 });
    expect(first?.definition.nodes[1]?.config).toEqual({ message: 'one' });
    expect(await store.findAtVersion(id(), 2)).toBe(await store.find(id()));
    expect(await store.findAtVersion(id(), 3)).toBeUndefined();
    // Stored answers of models hold for a definition, whatever the settings are.
    await writes.replace(id(), flow('one', { price: 9 }));
    const again = await store.find(id());
    expect([again?.version, again?.contentHash]).toEqual([3, first?.contentHash]);
    expect((await store.findAtVersion(id(), 2))?.contentHash).not.toBe(first?.contentHash);
  });

  rule('keep sealed secrets through drafts, versions and restores', async ({ here }) => {
    const { writes, drafts, versions } = here;
    const placeholder = (settings: object): FlowDefinition => ({
      ...flow('x'),
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'reply', kind: 'missing', config: { original: 'Mail', settings: settings as never } },
      ],
    });
    await writes.create(placeholder({ apiKey: 'very-secret', city: 'York' }));
    const first = (await versions.find(id(), 1))!.definition;
    expect(first).not.toContain('very-secret');
    const masked = { ...withMaskedSettings(placeholder({ apiKey: 'x', city: 'Hull' })) };
    await drafts.save(id(), contentOf(masked), 'any');
    const draft = (await drafts.find(id()))!;
    const sealedIn = (text: string) => /"sealed":"([^"]+)"/.exec(text)?.[1];
    expect(sealedIn(draft.definition)).toBe(sealedIn(first));
    await drafts.publish(draft, JSON.parse(draft.definition), {});
    expect(sealedIn((await versions.find(id(), 2))!.definition)).toBe(sealedIn(first));
    await drafts.restore(id(), 1, 'any');
    expect((await drafts.find(id()))?.definition).toBe(first);
  });

  rule('go with their flow', async ({ here, database }) => {
    await here.writes.create(flow('one'));
    await here.writes.replace(id(), flow('two', { price: 2 }));
    await here.drafts.save(id(), {}, 'any');
    await here.writes.remove(id());
    for (const table of ['flow_versions', 'flow_drafts', 'flow_setting_changes'])
      expect(await database.reader.all(`SELECT 1 FROM ${table} WHERE flow_id = ?`, [id()])).toEqual([]);
    expect((await here.writes.create(flow('again')))?.flow.version).toBe(1);
  });
});
