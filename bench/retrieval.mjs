/**
 * The nearest 4 of 100,000 chunks with 384 dimensions, on SQLite with `sqlite-vec` and on PostgreSQL without pgvector;
 * also the ingestion time of the documents. `node bench/retrieval.mjs [chunks] [queries] [sqlite|postgres]`
 */
import { makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';
import { cpuMs, figure, median, quantile } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const chunks = Number(process.argv[2] ?? 100_000);
const queries = Number(process.argv[3] ?? 50);
const kinds = process.argv[4] ? [process.argv[4]] : ['sqlite', 'postgres'];
const targets = { sqlite: 50, postgres: 200 };
const DOCUMENTS = 20;

/** A paragraph that is a chunk by itself: two do not fit into one. */
const paragraph = (number) =>
  `Paragraph ${number}: ${`the meter of house ${number % 997} was read. `.repeat(4)}`.slice(0, 99);

async function admin(service, method, path, body) {
  const answer = await service.admin(method, `/api/v1/document-stores${path}`, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.json;
}

async function fill(service, embedding) {
  const { id } = await admin(service, 'POST', '', {
    name: 'Bench',
    embedding,
    chunk: { size: 120, overlap: 0 },
  });
  const each = Math.ceil(chunks / DOCUMENTS);
  for (let document = 0; document < DOCUMENTS; document++) {
    const text = Array.from({ length: each }, (_, index) => paragraph(document * each + index)).join('\n\n');
    await admin(service, 'POST', `/${id}/documents`, { name: `document-${document}.txt`, text });
  }
  for (;;) {
    const { data } = await admin(service, 'GET', `/${id}/documents`);
    const failed = data.find(({ status }) => status === 'failed');
    if (failed) throw new Error(failed.error);
    if (data.every(({ status }) => status === 'ready'))
      return { id, made: data.reduce((sum, each) => sum + each.chunks, 0) };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const model = await sideProcess('fake-embeddings.mjs');
const embedding = { provider: 'openai-compatible', name: 'fake', baseUrl: model.url };
try {
  for (const kind of kinds) {
    const place = await makePlace(kind);
    const service = await startService(place);
    try {
      console.log(`\n# Retrieval, ${kind}`);
      const began = performance.now();
      const { id, made } = await fill(service, embedding);
      figure('chunks', made, '', ['>=', chunks]);
      figure('made ready, chunks a second', made / ((performance.now() - began) / 1000));
      const ask = async (number) => {
        const startedAt = performance.now();
        const { data } = await admin(service, 'POST', `/${id}/query`, { query: paragraph(number), topK: 4 });
        if (data.length !== 4 || data[0].text !== paragraph(number).trim())
          throw new Error('not the nearest');
        return performance.now() - startedAt;
      };
      figure('the first query', await ask(0), ' ms');
      for (let call = 0; call < 5; call++) await ask(call);
      const used = cpuMs(service.child.pid);
      const times = [];
      for (let call = 0; call < queries; call++) times.push(await ask((call * 7_919) % chunks));
      figure('processor time of a query', (cpuMs(service.child.pid) - used) / queries, ' ms');
      figure('a query, p95', quantile(times, 0.95), ' ms');
      figure('a query, median', median(times), ' ms', ['<=', targets[kind]]);
    } finally {
      await service.stop();
      await place.remove();
    }
  }
} finally {
  await model.stop();
}
