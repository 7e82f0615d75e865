/** The attacks of `prove:bounds`: work and memory that grow with earlier or other input. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { askingFlow } from './asking-flow.mjs';
import { startTarget } from './attack-target.mjs';
import { atLeast, atMost, countBy, inParallel } from './report.mjs';
import { replyFlow } from './service.mjs';

const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * KILOBYTE;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const statusesOf = (answers) => JSON.stringify(countBy(answers, ({ status }) => status));

/** Starts a target that flows may call, before the service that names it. */
const target = await startTarget();
export const closeTarget = () => target.close();
const reachesTarget = { OUTBOUND_ALLOW: target.host };

const line = (id, ...nodes) => {
  const all = [{ id: 'start', kind: 'start' }, ...nodes];
  return {
    id,
    name: id,
    nodes: all,
    edges: all.slice(1).map((node, index) => ({ from: all[index].id, to: node.id })),
  };
};

const capture = (service, body, options) =>
  service.request('POST', '/api/v1/inspection/capture', { body: { flowId: 'open', ...body }, ...options });

const words = (count, bytes) =>
  Array.from({ length: count }, (_, index) => ({
    item: `Item ${index}`,
    condition: 'good',
    description: 'x'.repeat(bytes),
  }));

/** Stored calls of runs, wherever the store is. */
const storedCalls = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath.includes('/runs/'),
  ).length;

/** Fills a session with texts up to its limit. */
async function fillSession(service, sessionId, calls, observations, bytes) {
  const statuses = [];
  for (let call = 0; call < calls; call++) {
    const body = { sessionId, area: `Room ${call}`, observations: words(observations, bytes) };
    statuses.push(await capture(service, body));
  }
  return statuses;
}

/** A version 4 UUID is the key to its own session. */
const WORDY = randomUUID();

const openFlow = (service) => service.createFlow(replyFlow('open'));

const render = (service, sessionId, more = {}) =>
  service.request('POST', '/api/v1/pdf/render', {
    body: {
      templateId: 'inspection',
      source: { type: 'inspection', sessionId, flowId: 'open', meta: { address: '1 High Street' } },
      ...more,
    },
  });

export const attacks = [
  {
    name: 'a session of many words',
    prepare: openFlow,
    async run(service) {
      const captures = [
        ...(await fillSession(service, WORDY, 4, 45, 10 * KILOBYTE)),
        ...(await fillSession(service, WORDY, 86, 500, 10 * KILOBYTE)),
      ];
      const previews = await Promise.all(
        Array.from({ length: 5 }, () => render(service, WORDY, { preview: true })),
      );
      return { captures, previews, final: await render(service, WORDY) };
    },
    check(proof, _service, { captures, previews, final }) {
      proof.note(
        `captures ${statusesOf(captures)}, previews ${statusesOf(previews)}, report ${final.status}`,
      );
      proof.expect(
        '  captures that were refused as session_full',
        captures.filter(({ status }) => status === 409).length,
        atLeast(80),
      );
      proof.expect('  the report', final.status, 200);
    },
  },
  {
    name: 'many full sessions, all rendered at once',
    prepare: openFlow,
    async run(service) {
      const sessions = Array.from({ length: 8 }, (_, index) => `full-${index}`);
      for (const sessionId of sessions) await fillSession(service, sessionId, 4, 95, 5 * KILOBYTE);
      return inParallel(sessions.length, sessions.length, (index) => render(service, sessions[index]));
    },
    check(proof, _service, reports) {
      proof.note(`reports ${statusesOf(reports)}`);
      proof.expect('  reports that failed', reports.filter(({ status }) => status === 500).length, 0);
    },
  },
  {
    name: 'a session of many areas',
    prepare: openFlow,
    async run(service) {
      const times = [];
      for (let area = 0; area < 2_000; area++) {
        const startedAt = performance.now();
        await capture(service, { sessionId: 'areas', area: `Area ${area}` });
        times.push(performance.now() - startedAt);
      }
      const sum = (list) => list.reduce((total, ms) => total + ms, 0);
      return { first: sum(times.slice(50, 150)), last: sum(times.slice(-100)) };
    },
    check: (proof, _service, { first, last }) =>
      proof.measure('  the last hundred captures ÷ the first', Number((last / first).toFixed(2)), atMost(2)),
  },
  {
    name: 'a schema that doubles at each level',
    env: reachesTarget,
    prepare: (service) =>
      service.createFlow(
        line('schema', {
          id: 'tool',
          kind: 'tool',
          config: {
            tool: 'mcp',
            name: 'branch',
            url: `${target.url}/mcp/branching`,
            arguments: { value: {} },
          },
        }),
      ),
    run: (service) => inParallel(10, 5, (index) => service.predict('schema', { question: `q${index}` })),
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'a deep schema',
    env: reachesTarget,
    prepare: (service) =>
      service.createFlow(
        line('deep', {
          id: 'tool',
          kind: 'tool',
          config: { tool: 'mcp', name: 'branch', url: `${target.url}/mcp/deep`, arguments: { value: {} } },
        }),
      ),
    run: (service) => inParallel(10, 5, (index) => service.predict('deep', { question: `q${index}` })),
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'events of a model with very many values',
    env: reachesTarget,
    prepare: (service) => service.createFlow(askingFlow('model', { url: `${target.url}/wide-model` })),
    run: (service) => inParallel(10, 5, (index) => service.predict('model', { question: `q${index}` })),
    check: (proof, _service, answers) =>
      proof.expect('  answers of 500', answers.filter(({ status }) => status === 500).length, 10),
  },
  {
    name: 'state that many chats hold',
    prepare: (service) =>
      service.createFlow(
        line(
          'keeps',
          {
            id: 'set',
            kind: 'set-state',
            config: { state: { a: '{{question}}', b: '{{question}}', c: '{{question}}' } },
          },
          { id: 'say', kind: 'reply', config: { message: 'done' } },
        ),
      ),
    async run(service) {
      const call = (index, question) => service.predict('keeps', { question, chatId: `chat-${index}` });
      const chats = 150;
      const filled = await inParallel(chats, 4, (index) => call(index, 'x'.repeat(1_000 * KILOBYTE)));
      const read = await inParallel(chats, chats, (index) => call(index, 'short'));
      return [...filled, ...read];
    },
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'many small sessions and files',
    prepare: openFlow,
    async run(service) {
      const form = Buffer.from(
        '--edge\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n--edge--\r\n',
      );
      const headers = { 'Content-Type': 'multipart/form-data; boundary=edge', 'Content-Length': form.length };
      const attach = (index) =>
        service
          .request('POST', `/api/v1/attachments/open/chat-${index}`, { body: form, headers })
          .catch(() => ({ status: 0 }));
      const answers = await inParallel(3_000, 20, (index) =>
        index % 2 === 0
          ? capture(service, { sessionId: `small-${index}`, area: `Area ${index}`, remark: 'x' })
          : attach(index),
      );
      const lists = await inParallel(20, 5, () =>
        service.admin('GET', '/api/v1/inspection/sessions?limit=100'),
      );
      return { answers, lists };
    },
    check(proof, _service, { answers, lists }) {
      proof.note(`answers ${statusesOf(answers)}`);
      proof.expect('  lists of sessions', statusesOf(lists), '{"200":20}');
    },
  },
  {
    name: 'listings of an MCP server under headers of callers',
    env: reachesTarget,
    prepare: (service) =>
      service.createFlow(
        line('listing', {
          id: 'tool',
          kind: 'tool',
          config: {
            tool: 'mcp',
            name: 'tool1',
            url: `${target.url}/mcp/large`,
            headers: { 'X-Caller': '{{question}}' },
          },
        }),
      ),
    run: (service) =>
      inParallel(60, 4, (index) => service.predict('listing', { question: `caller ${index}` })),
    check: (proof, _service, answers) =>
      proof.expect('  listings that were refused', answers.filter(({ status }) => status === 500).length, 60),
  },
  ...['wide', 'deep', 'objects'].map((shape) => ({
    name: `${shape} answers of a target`,
    env: reachesTarget,
    prepare: (service) =>
      service.createFlow(
        line('asks', { id: 'ask', kind: 'http', config: { method: 'GET', url: `${target.url}/${shape}` } }),
      ),
    run: (service) => inParallel(20, 5, () => service.predict('asks', { question: 'x' })),
    check: (proof, _service, answers) =>
      proof.expect('  answers of 500', answers.filter(({ status }) => status === 500).length, 20),
  })),
  {
    name: 'a function that returns many values',
    prepare: (service) =>
      service.createFlow(
        line(
          'split',
          { id: 'split', kind: 'function', config: { code: 'return $input.split(" ");' } },
          { id: 'say', kind: 'reply', config: { message: 'done' } },
        ),
      ),
    run: (service) => inParallel(20, 5, () => service.predict('split', { question: 'a '.repeat(500_000) })),
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'answers that nobody reads',
    prepare: async (service) => {
      // More than the kernel's buffers hold.
      await service.createFlow(
        line('long', { id: 'say', kind: 'reply', config: { message: '{{question}}'.repeat(6) } }),
      );
    },
    async run(service) {
      const { hostname, port } = new URL(service.url);
      const body = JSON.stringify({ question: 'x'.repeat(MEGABYTE - KILOBYTE) });
      const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname).pause());
      await inParallel(sockets.length, 2, async (index) => {
        const socket = sockets[index].on('error', () => undefined);
        const path = index % 2 === 0 ? 'POST /api/v1/prediction/long' : 'GET /console';
        const head = `${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`;
        socket.write(
          index % 2 === 0
            ? `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
            : `${head}\r\n`.repeat(50),
        );
        // Each is answered before the next, so that only the answers add up.
        await pause(400);
      });
      await pause(45_000);
      const { text } = await service.request('GET', '/metrics');
      for (const socket of sockets) socket.destroy();
      return Number(/^http_requests_in_flight (\d+)/m.exec(text)?.[1]);
    },
    check: (proof, _service, open) => proof.expect('  answers still open after 45 s', open, atMost(5)),
  },
  {
    name: 'async calls of one slow flow',
    env: reachesTarget,
    prepare: async (service) => {
      await service.createFlow(
        line('slow', { id: 'ask', kind: 'http', config: { method: 'GET', url: `${target.url}/hang` } }),
      );
      await openFlow(service);
    },
    async run(service) {
      const async = (flow) => service.predict(flow, { question: 'x' }, { Prefer: 'respond-async' });
      const slow = await inParallel(600, 50, () => async('slow'));
      const other = await service.request('POST', '/api/v1/prediction/open', {
        body: { question: 'x' },
        headers: { Prefer: 'respond-async' },
        localAddress: '127.0.0.8',
      });
      const deleted = await service.admin('DELETE', '/api/v1/flows/slow');
      await pause(3_000);
      const { text } = await service.admin('GET', '/api/v1/executions?flowId=slow&status=running');
      return { slow, other, deleted, left: JSON.parse(text).data?.length };
    },
    check(proof, _service, { slow, other, deleted, left }) {
      proof.note(
        `calls of the slow flow ${statusesOf(slow)}, its deletion ${deleted.status}, running after it ${left}`,
      );
      proof.expect('  an async call of another flow', other.status, 202);
    },
  },
  {
    name: 'attachments without end',
    prepare: openFlow,
    async run(service) {
      const form = (size) => {
        const head =
          '--edge\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
        return Buffer.concat([Buffer.from(head), Buffer.alloc(size, 'x'), Buffer.from('\r\n--edge--\r\n')]);
      };
      const body = form(900 * KILOBYTE);
      const headers = { 'Content-Type': 'multipart/form-data; boundary=edge', 'Content-Length': body.length };
      return inParallel(600, 4, (index) =>
        service
          .request('POST', `/api/v1/attachments/open/chat-${index}`, { body, headers })
          .catch(() => ({ status: 0 })),
      );
    },
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'bodies that drip',
    prepare: openFlow,
    async run(service) {
      const { hostname, port } = new URL(service.url);
      const sockets = Array.from({ length: 10 }, () =>
        connect(Number(port), hostname)
          .setMaxListeners(0)
          .on('error', () => undefined)
          .resume(),
      );
      const size = 49 * MEGABYTE;
      const piece = Buffer.alloc(MEGABYTE, 'x');
      await Promise.all(
        sockets.map(async (socket) => {
          await once(socket, 'connect');
          socket.write(
            `POST /api/v1/prediction/open HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n{"question":"x","uploads":"`,
          );
          for (let sent = 0; sent < 48 && !socket.destroyed; sent++) {
            if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
          }
        }),
      );
      const drip = setInterval(
        () => sockets.forEach((socket) => socket.writable && socket.write('x'.repeat(2_000))),
        1_000,
      );
      const form = JSON.stringify({
        question: 'hello',
        uploads: [
          {
            type: 'file',
            name: 'a.txt',
            mime: 'text/plain',
            data: `data:text/plain;base64,${Buffer.alloc(3 * MEGABYTE).toString('base64')}`,
          },
        ],
      });
      const others = [];
      for (let call = 0; call < 20; call++) {
        others.push(
          await service.request('POST', '/api/v1/prediction/open', { body: form, localAddress: '127.0.0.8' }),
        );
        await pause(200);
      }
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
      return others;
    },
    check: (proof, _service, others) =>
      proof.expect(
        '  large calls of another address that were served',
        others.filter(({ status }) => status === 200).length,
        20,
      ),
  },
  {
    name: 'calls that wait for one chat',
    env: reachesTarget,
    prepare: (service) =>
      service.createFlow(
        line('slow', {
          id: 'ask',
          kind: 'http',
          config: { method: 'GET', url: `${target.url}/hang`, timeoutMs: 20_000 },
        }),
      ),
    run: (service) =>
      inParallel(4_060, 4_060, () =>
        service.predict('slow', { question: 'x', chatId: 'one' }).catch(() => ({ status: 0 })),
      ),
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'guesses of flow ids',
    prepare: async (service) => {
      for (let index = 0; index < 30; index++) await service.createFlow(replyFlow(`real-${index}`));
    },
    async run(service) {
      const ids = Array.from({ length: 3_000 }, (_, index) =>
        index % 100 === 0 ? `real-${index / 100}` : randomUUID(),
      );
      const answers = await inParallel(ids.length, 200, async (index) => ({
        id: ids[index],
        ...(await service.request('POST', `/api/v1/prediction/${ids[index]}`, {
          body: { question: 'x' },
          localAddress: '127.0.0.7',
        })),
      }));
      const third = answers
        .map(({ status }) => status)
        .reduce((found, status, index) => (status === 404 ? index : found), 0);
      return { answers, third };
    },
    check(proof, _service, { answers, third }) {
      proof.note(`answers ${statusesOf(answers)}; the last 404 was call ${third}`);
      proof.expect('  answers 404', answers.filter(({ status }) => status === 404).length, 3);
      proof.expect(
        '  flows that showed themselves after the first 200 calls',
        answers.slice(400).filter(({ status }) => status === 200).length,
        0,
      );
    },
  },
  {
    name: 'a chat that remembers everything',
    env: reachesTarget,
    prepare: (service) =>
      service.createFlow(askingFlow('remembers', { url: `${target.url}/v1` }, { memory: { kind: 'all' } })),
    async run(service) {
      for (let call = 0; call < 150; call++)
        await service.predict('remembers', {
          question: 'x'.repeat(900 * KILOBYTE),
          chatId: `long-${call % 4}`,
        });
      return inParallel(20, 4, (index) =>
        service.predict('remembers', { question: 'Well?', chatId: `long-${index % 4}` }),
      );
    },
    check: (proof, _service, answers) => proof.expect('  answers', statusesOf(answers), '{"200":20}'),
  },
  {
    name: 'patterns that are heavy',
    prepare: (service) =>
      service.createFlow({
        id: 'pattern',
        name: 'pattern',
        nodes: [
          { id: 'start', kind: 'start' },
          {
            id: 'like',
            kind: 'condition',
            config: {
              conditions: [
                { type: 'string', value1: '{{question}}', operation: 'regex', value2: '\\p{L}{1,1000}[0-9]' },
              ],
            },
          },
          { id: 'yes', kind: 'reply', config: { message: 'yes' } },
          { id: 'no', kind: 'reply', config: { message: 'no' } },
        ],
        edges: [
          { from: 'start', to: 'like' },
          { from: 'like', to: 'yes', on: '0' },
          { from: 'like', to: 'no', on: 'else' },
        ],
      }),
    run: (service) => inParallel(20, 5, () => service.predict('pattern', { question: 'a'.repeat(100_000) })),
    check: (proof, _service, answers) => proof.note(`answers ${statusesOf(answers)}`),
  },
  {
    name: 'targets of callbacks that hang',
    env: reachesTarget,
    async prepare(service) {
      const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const credential = { name: 'callbacks', kind: 'webhook', data: { secret } };
      const { id } = (await service.admin('POST', '/api/v1/credentials', credential)).json;
      const more = { webhookCredentialId: id, callbackHosts: ['127.0.0.1'] };
      for (const flow of ['hanging', 'healthy']) await service.createFlow(replyFlow(flow, more));
    },
    async run(service) {
      const calls = (flow, path) =>
        service.predict(
          flow,
          { question: 'x', callbackUrl: `${target.url}${path}` },
          { Prefer: 'respond-async' },
        );
      const hanging = await inParallel(64, 8, () => calls('hanging', '/hang'));
      const before = target.called;
      const startedAt = performance.now();
      const healthy = await calls('healthy', '/called');
      while (target.called === before && performance.now() - startedAt < 60_000) await pause(20);
      return { hanging, healthy, delayMs: Math.round(performance.now() - startedAt) };
    },
    check(proof, _service, { hanging, healthy, delayMs }) {
      proof.note(`calls ${statusesOf([...hanging, healthy])}`);
      proof.expect('  the callback of another flow, ms', delayMs, atMost(5_000));
    },
  },
  {
    name: 'clicks that lose',
    prepare: (service) =>
      service.createFlow({
        id: 'asks',
        name: 'asks',
        nodes: [
          { id: 'start', kind: 'start' },
          { id: 'ask', kind: 'human-input', config: { message: 'Really?' } },
          { id: 'yes', kind: 'reply', config: { message: 'yes' } },
          { id: 'no', kind: 'reply', config: { message: 'no' } },
        ],
        edges: [
          { from: 'start', to: 'ask' },
          { from: 'ask', to: 'yes', on: '0' },
          { from: 'ask', to: 'no', on: '1' },
        ],
      }),
    async run(service) {
      for (let round = 0; round < 20; round++) {
        const chatId = `clicks-${round}`;
        const first = await service.predict('asks', { question: 'x'.repeat(10_000), chatId });
        const startNodeId = first.json.action.data.nodeId;
        const click = () => service.predict('asks', { chatId, humanInput: { type: 'proceed', startNodeId } });
        await inParallel(50, 50, click);
      }
      await pause(15_000);
    },
    check(proof, service) {
      proof.expect('  stored calls that are left', storedCalls(service.place.dataDir), 0);
    },
  },
];
