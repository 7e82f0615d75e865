import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { withCodeOfFiles } from '../src/flows/store/code-files.js';
import { startTestApp, type TestApp } from './support/app.js';

let test: TestApp;
let folder: string;
const admin = () => ({ authorization: `Bearer ${test.adminKey}` });
const flows = (path = '') => `/api/v1/flows${path}`;
const call = () => request(test.url);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flows-dir-'));
  copyFileSync(join(__dirname, '../samples/assistant.json'), join(folder, 'assistant.json'));
  test = await startTestApp({ env: { FLOWS_DIR: folder } });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await test.close();
});

const greeter = (more: object = {}) => ({
  name: 'Greeter',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message: 'Hello {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  ...more,
});

describe('the admin routes of flows (contract section 8)', () => {
  it('are open to the admin key alone', async () => {
    for (const path of ['', '/schema', '/assistant']) {
      const answer = await call().get(flows(path));
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('invalid_admin_key');
    }
    expect((await call().post(flows()).send(greeter())).status).toBe(401);
    expect((await call().put(flows('/assistant')).send(greeter())).status).toBe(401);
    expect((await call().delete(flows('/assistant'))).status).toBe(401);
  });

  it('create, return, replace and delete a flow', async () => {
    const made = await call()
      .post(flows())
      .set(admin())
      .send(greeter({ id: 'greeter', price: 3 }));
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ id: 'greeter', price: 3, account: 'default', isStreaming: true });
    expect(made.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const got = await call().get(flows('/greeter')).set(admin());
    expect(got.body).toEqual(made.body);

    const put = await call()
      .put(flows('/greeter'))
      .set(admin())
      .send({ ...got.body, name: 'Renamed' });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ name: 'Renamed', price: 3, nodes: got.body.nodes });
    expect(put.body.revision).not.toBe(got.body.revision);

    expect((await call().delete(flows('/greeter')).set(admin())).status).toBe(204);
    const gone = await call().get(flows('/greeter')).set(admin());
    expect(gone.status).toBe(404);
    expect(gone.body.code).toBe('not_found');
  });

  it('generate a missing id, and refuse one that is taken', async () => {
    const made = await call().post(flows()).set(admin()).send(greeter());
    expect(made.body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    const again = await call()
      .post(flows())
      .set(admin())
      .send(greeter({ id: made.body.id }));
    expect(again.status).toBe(409);
    expect(again.body.code).toBe('flow_exists');
  });

  it('warn of a probable mistake, and save it nevertheless', async () => {
    const odd = greeter({ id: 'odd' });
    odd.nodes[1]!.config = { message: 'Hello {{questoin}}', mesage: 'x' } as never;
    const warnings = [
      expect.objectContaining({
        code: 'unknown_member',
        path: 'nodes[1].config.mesage',
        suggestion: 'message',
      }),
      expect.objectContaining({
        code: 'unknown_reference',
        path: 'nodes[1].config.message',
        suggestion: 'question',
      }),
    ];
    const looked = await call().post(flows('/check')).set(admin()).send(odd);
    expect(looked.body).toEqual({ errors: [], warnings });
    const made = await call().post(flows()).set(admin()).send(odd);
    expect([made.status, made.body.warnings]).toEqual([200, warnings]);
    const got = await call().get(flows('/odd')).set(admin());
    expect(got.body).not.toHaveProperty('warnings');
    const put = await call().put(flows('/odd')).set(admin()).send(made.body);
    expect([put.status, put.body.warnings]).toEqual([200, warnings]);
    const mended = await call()
      .put(flows('/odd'))
      .set(admin())
      .send({ ...put.body, ...greeter() });
    expect([mended.status, mended.body.warnings]).toEqual([200, undefined]);
    const broken = await call()
      .post(flows('/check'))
      .set(admin())
      .send({ ...odd, edges: [{}] });
    expect([broken.body.errors.length > 0, broken.body.warnings]).toEqual([true, []]);
  });

  it('find nothing to warn of in the samples', async () => {
    for (const id of ['assistant', 'inspection-assistant']) {
      const path = join(__dirname, `../samples/${id}.json`);
      const text = readFileSync(path, 'utf8');
      const { value } = await withCodeOfFiles(JSON.parse(text), { path, stem: id, text });
      const looked = await call()
        .post(flows('/check'))
        .set(admin())
        .send(value as object);
      expect([id, looked.body]).toEqual([id, { errors: [], warnings: [] }]);
    }
  });

  it('refuse a definition that cannot run, with the path of each fault', async () => {
    const broken = greeter({ edges: [{ from: 'start', to: 'nowhere' }], price: 1 });
    const answer = await call().post(flows()).set(admin()).send(broken);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_flow');
    expect(answer.body.errors).toEqual([{ path: 'edges.0.to', message: 'there is no node "nowhere"' }]);
    const unknown = { ...broken, price: -1, access: { apiKeyId: 'none', public: 'yes' } };
    const all = await call().post(flows()).set(admin()).send(unknown);
    expect(all.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      ...['price', 'access.public', 'edges.0.to', 'access.apiKeyId'],
    ]);
    for (const body of ['[]', '"x"', '1', '{}', 'null']) {
      const refused = await call().post(flows()).set(admin()).type('json').send(body);
      expect([body, refused.status, refused.body.code]).toEqual([body, 400, 'invalid_flow']);
    }
  });

  it('check a definition without storing it', async () => {
    const faults = async (body: object) =>
      (await call().post(flows('/check')).set(admin()).send(body).expect(200)).body.errors;
    expect(await faults(greeter({ id: 'only-checked' }))).toEqual([]);
    expect((await call().get(flows('/only-checked')).set(admin())).status).toBe(404);
    expect(await faults(greeter({ edges: [{ from: 'start', to: 'nowhere' }] }))).toEqual([
      { path: 'edges.0.to', message: 'there is no node "nowhere"' },
    ]);
    const model = { provider: 'openai', name: 'x', credentialId: 'unknown' };
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'llm', kind: 'llm', config: { model } },
    ];
    expect(await faults(greeter({ nodes, edges: [{ from: 'start', to: 'llm' }] }))).toMatchObject([
      { path: 'nodes.1.config.model.credentialId' },
    ]);
    expect((await call().post(flows('/check')).send(greeter())).status).toBe(401);
  });

  it('replace only the revision that If-Match names', async () => {
    const made = (
      await call()
        .post(flows())
        .set(admin())
        .send(greeter({ id: 'matched' }))
    ).body;
    const put = (name: string, ifMatch: string, id = 'matched') =>
      call()
        .put(flows(`/${id}`))
        .set({ ...admin(), 'if-match': ifMatch })
        .send(greeter({ name }));
    expect((await put('Second', `"${made.revision}"`)).body).toMatchObject({ name: 'Second' });
    const late = await put('Late', `"${made.revision}"`);
    expect([late.status, late.body.code]).toEqual([412, 'flow_changed']);
    expect((await call().get(flows('/matched')).set(admin())).body.name).toBe('Second');
    expect((await put('Unnamed', '""')).body.code).toBe('flow_changed');
    expect((await put('Any', '*')).body.name).toBe('Any');
    expect((await put('None', '"x"', 'nowhere')).status).toBe(404);
    expect((await put('None', '*', 'nowhere')).status).toBe(404);
  });

  it('return their revision as ETag, and answer 304 to a client that has it', async () => {
    const made = await call()
      .post(flows())
      .set(admin())
      .send(greeter({ id: 'tagged' }));
    const read = (ifNoneMatch?: string) =>
      call()
        .get(flows('/tagged'))
        .set({ ...admin(), ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }) });
    const { etag } = (await read()).headers as { etag: string };
    expect(etag).toBe(`"${made.body.revision}"`);
    expect(made.headers['etag']).toBe(etag);
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`]) {
      const same = await read(known);
      expect([known, same.status, same.text, same.headers['etag']]).toEqual([known, 304, '', etag]);
    }
    const put = () =>
      call()
        .put(flows('/tagged'))
        .set({ ...admin(), 'if-match': etag })
        .send(greeter({ name: 'Second' }));
    const changed = await put();
    expect([changed.status, changed.headers['etag']]).toEqual([200, `"${changed.body.revision}"`]);
    expect((await put()).body.code).toBe('flow_changed');
    const again = await read(etag);
    expect([again.status, again.body.name, again.headers['etag']]).toEqual([
      200,
      'Second',
      changed.headers['etag'],
    ]);
    expect((await call().get(flows('/tagged')).set('if-none-match', etag)).status).toBe(401);
  });

  it('delete only the revision that If-Match names', async () => {
    const made = await call()
      .post(flows())
      .set(admin())
      .send(greeter({ id: 'guarded' }));
    const { revision } = made.body;
    const erase = (ifMatch: string, id = 'guarded') =>
      call()
        .delete(flows(`/${id}`))
        .set({ ...admin(), 'if-match': ifMatch });
    await call()
      .put(flows('/guarded'))
      .set(admin())
      .send(greeter({ name: 'Changed' }))
      .expect(200);
    const late = await erase(`"${revision}"`);
    expect([late.status, late.body.code]).toEqual([412, 'flow_changed']);
    const malformed = await erase(revision);
    expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, 'If-Match']);
    const now = (await call().get(flows('/guarded')).set(admin()).expect(200)).body;
    expect(now.name).toBe('Changed');
    expect((await erase(`"${revision}", "${now.revision}"`)).status).toBe(204);
    expect((await erase('"x"')).status).toBe(404);

    await call()
      .post(flows())
      .set(admin())
      .send(greeter({ id: 'guarded' }));
    expect((await erase('*')).status).toBe(204);
    expect((await erase('*')).status).toBe(404);
  });

  it('match one revision of a list, and no weak tag', async () => {
    await call()
      .post(flows())
      .set(admin())
      .send(greeter({ id: 'listed' }));
    const read = async () => (await call().get(flows('/listed')).set(admin())).body;
    const put = async (name: string, ifMatch: (revision: string) => string) =>
      call()
        .put(flows('/listed'))
        .set({ ...admin(), 'if-match': ifMatch((await read()).revision) })
        .send(greeter({ name }));
    expect((await put('One of two', (revision) => `"a", "${revision}"`)).body.name).toBe('One of two');
    for (const none of [() => '"a", "b"', (revision: string) => `W/"${revision}"`]) {
      const refused = await put('None', none);
      expect([refused.status, refused.body.code]).toEqual([412, 'flow_changed']);
    }
    for (const malformed of [() => '', (revision: string) => revision, () => '"a", b']) {
      const refused = await put('Malformed', malformed);
      expect(refused.body).toMatchObject({
        status: 400,
        code: 'invalid_request',
        errors: [{ path: 'If-Match' }],
      });
    }
    expect((await read()).name).toBe('One of two');
  });

  it('do not change the id of a flow, and return 404 for an unknown one', async () => {
    const changed = await call()
      .put(flows('/assistant'))
      .set(admin())
      .send(greeter({ id: 'other' }));
    expect(changed.body).toMatchObject({ status: 400, errors: [{ path: 'id' }] });
    expect((await call().put(flows('/nowhere')).set(admin()).send(greeter())).status).toBe(404);
    expect((await call().delete(flows('/nowhere')).set(admin())).status).toBe(404);
    for (const id of ['a', '__proto__', encodeURIComponent('../../etc'), 'x'.repeat(300)])
      expect(
        (
          await call()
            .get(flows(`/${id}`))
            .set(admin())
        ).status,
      ).toBe(404);
  });

  it('list the flows page by page', async () => {
    for (const id of ['page-one', 'page-two']) await call().post(flows()).set(admin()).send(greeter({ id }));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer = await call()
        .get(flows(`?limit=1${cursor && `&cursor=${cursor}`}`))
        .set(admin());
      expect(answer.status).toBe(200);
      seen.push(...answer.body.data.map(({ id }: { id: string }) => id));
      cursor = answer.body.nextCursor as string | null;
    }
    expect(seen).toEqual(expect.arrayContaining(['page-one', 'page-two', 'assistant']));
    expect(new Set(seen).size).toBe(seen.length);
    expect((await call().get(flows('?cursor=x')).set(admin())).body.code).toBe('invalid_request');
  });

  it('return the JSON Schema of a definition', async () => {
    const answer = await call().get(flows('/schema')).set(admin());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      type: 'object',
      required: expect.arrayContaining(['name', 'nodes']),
    });
  });

  it('do not count toward the address block', async () => {
    for (let n = 0; n < 5; n++) await call().get(flows('/unknown-flow')).set(admin());
    expect((await call().get(flows('/assistant')).set(admin())).status).toBe(200);
  });
});
