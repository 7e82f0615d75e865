import { compileGraph } from '../dist/flows/engine/flow-graph.js';
import { runFlow } from '../dist/flows/engine/flow-runner.js';
import { replyNode } from '../dist/flows/nodes/reply.node.js';
import { setStateNode } from '../dist/flows/nodes/set-state.node.js';
import { startNode } from '../dist/flows/nodes/start.node.js';
/**
 * The engine's own cost per node in a chain of `set-state` nodes, without database and server: 1,000 nodes against 10,
 * and against a call of a bare Nest handler that makes one durable insert, all in CPU time. `node bench/engine.mjs
 * [rounds]`
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { load } from './support/load.mjs';
import { cpuMs, figure, interleaved, median } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const rounds = Number(process.argv[2] ?? 9);
const kinds = new Map([startNode, setStateNode, replyNode].map((kind) => [kind.kind, kind]));
const NODES_A_ROUND = 20_000;

function chain(length) {
  const between = Array.from({ length: length - 2 }, (_, index) => ({
    id: `set${index}`,
    kind: 'set-state',
    config: { state: { [`k${index % 5}`]: 'after {{question}}' } },
  }));
  const nodes = [
    { id: 'start', kind: 'start', config: {} },
    ...between,
    { id: 'reply', kind: 'reply', config: { message: '{{$flow.state.k1}}' } },
  ];
  const edges = nodes.slice(1).map((node, index) => ({ from: nodes[index].id, to: node.id }));
  return compileGraph({ nodes, edges });
}

let ids = 0;
const input = () => ({
  executionId: 'e',
  flowId: 'f',
  chatId: 'c',
  sessionId: 'c',
  question: 'Hello',
  uploads: [],
  history: async () => [],
  vars: new Map(),
  publicUrl: '',
  state: {},
});

function finished(graph) {
  const options = {
    signal: new AbortController().signal,
    now: () => Date.now(),
    newId: () => `run-${++ids}`,
    newToken: () => `token-${++ids}`,
  };
  return new Promise((resolve, reject) => {
    let last;
    runFlow(graph, kinds, input(), options).subscribe({
      next: (event) => (last = event),
      complete: () =>
        last.type === 'finished' ? resolve() : reject(new Error(JSON.stringify(last).slice(0, 500))),
    });
  });
}

/** Returns microseconds of CPU time per node. */
const perNode = (length) => {
  const graph = chain(length);
  return async () => {
    const before = process.cpuUsage();
    for (let done = 0; done < NODES_A_ROUND; done += length) await finished(graph);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / NODES_A_ROUND;
  };
};

const [short, long] = [perNode(10), perNode(1_000)];
await short();
await long();
const [ofShort, ofLong] = await interleaved(rounds, short, long);
console.log('\n# The engine, a node');
figure('of 10 nodes', median(ofShort), ' µs');
figure('of 1,000 nodes', median(ofLong), ' µs');
figure('1,000 nodes against 10', median(ofLong) / median(ofShort), ' ×', ['<=', 1.3]);

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const bare = await sideProcess('bare-nest.mjs', place.databaseUrl);
  try {
    await load(bare.url, { body: { question: 'Hello' }, seconds: 2 });
    const before = cpuMs(bare.pid);
    const { total } = await load(bare.url, { body: { question: 'Hello' }, seconds: 4 });
    const call = ((cpuMs(bare.pid) - before) / total) * 1000;
    figure(`call of the bare handler, ${kind}`, call, ' µs');
    figure('a node of it', (median(ofShort) / call) * 100, ' %', ['<=', 5]);
  } finally {
    await bare.stop();
    await place.remove();
  }
}
