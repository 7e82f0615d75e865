/**
 * Opens states of the disk with the application itself, in this process or by a start of the service, and checks them.
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../support/in-process.mjs';
import { startService } from '../support/service.mjs';
import { layout } from './layout.mjs';
import { sha256 } from './load.mjs';

const PROMISES = [
  'opening',
  'acknowledged',
  'files',
  'secrets',
  'ledger',
  'claims',
  'records',
  'database',
  'start',
];
const EXAMPLES = 12;
const ENOUGH = 50;
const INTACT_EVERY = 10;

export class Opening {
  opened = 0;
  started = 0;
  acknowledged = 0;
  examples = [];
  /** Number of states that broke each promise. */
  faults = Object.fromEntries(PROMISES.map((promise) => [promise, 0]));

  constructor(folder, promises, scratch) {
    this.folder = folder;
    this.promises = promises;
    this.copy = { root: join(scratch, 'start'), ...layout(join(scratch, 'start')) };
    this.workingDirectory = join(scratch, 'work');
    mkdirSync(this.workingDirectory);
    process.chdir(this.workingDirectory);
    const { dataDir, databaseUrl, storage } = folder.place;
    const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...storage, ADMIN_API_KEY: '' };
    Object.assign(process.env, settings, { SAMPLES: 'off', LOG_LEVEL: 'silent' });
  }

  /** True once there are so many faults that more states show nothing new. */
  get hopeless() {
    return Object.values(this.faults).some((count) => count >= ENOUGH);
  }

  async check({ files, acknowledged, where, started }) {
    this.acknowledged = Math.max(this.acknowledged, acknowledged.length);
    if (started) cpSync(this.folder.path, this.copy.root, { recursive: true });
    const faults = await this.open(files, acknowledged);
    if (started) faults.push(...(await this.start(acknowledged)));
    for (const promise of new Set(faults.map(([name]) => name))) this.faults[promise]++;
    if (faults.length > 0 && this.examples.length < EXAMPLES) this.tell(where, faults);
  }

  tell(where, faults) {
    const summary = faults.slice(0, 3).map(([promise, what]) => `${promise}: ${what}`);
    const more = faults.length > 3 ? ` and ${faults.length - 3} more` : '';
    this.examples.push(`${where}: ${summary.join('; ')}${more}`);
  }

  async open(files, acknowledged) {
    this.opened++;
    const { AppModule } = await load('app.module.js');
    let context;
    try {
      context = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
      const faults = await this.promises.faults(context, files, this.folder.place.dataDir, acknowledged);
      if (this.opened % INTACT_EVERY === 0) faults.push(...(await damage(context)));
      return faults;
    } catch (error) {
      return [['opening', error.message]];
    } finally {
      await context?.close();
    }
  }

  /** Starts the service, and checks over HTTP that it still returns everything acknowledged. */
  async start(acknowledged) {
    this.started++;
    const place = { ...this.copy, workingDirectory: this.workingDirectory };
    let service;
    try {
      service = await startService(place, { ADMIN_API_KEY: '', LOG_LEVEL: 'error', ...place.storage });
      return await missing(service, acknowledged);
    } catch (error) {
      return [['start', error.message]];
    } finally {
      await service?.kill();
      rmSync(this.copy.root, { recursive: true, force: true });
    }
  }
}

async function damage(context) {
  const { DatabaseReader } = await load('database/database-reader.js');
  const rows = await context.get(DatabaseReader, { strict: false }).all('PRAGMA integrity_check');
  return rows.map(({ integrity_check: said }) => ['database', said]).filter(([, said]) => said !== 'ok');
}

const SHOWN = 5;

/** Requests the newest few of each kind as their callers would; returns those that are missing. */
async function missing(service, acknowledged) {
  const faults = [];
  const newest = (kind) => acknowledged.filter((fact) => fact.kind === kind).slice(-SHOWN);
  const expect = (holds, what) => holds || faults.push(['start', what]);
  for (const fact of newest('prediction')) {
    const answer = await service.predict('paid', fact.body, { 'Idempotency-Key': fact.key });
    const replayed =
      answer.headers['idempotent-replay'] === 'true' && answer.json.executionId === fact.executionId;
    expect(answer.status === 200 && replayed, 'a prediction that is sent again is not replayed');
  }
  for (const fact of newest('report')) {
    const { pathname, search } = new URL(fact.url);
    const answer = await service.request('GET', pathname + search);
    expect(
      answer.status === 200 && sha256(answer.bytes) === fact.sha256,
      'a report cannot be fetched by its link',
    );
  }
  const adminKey = acknowledged.find((fact) => fact.adminKey)?.adminKey;
  const headers = { Authorization: `Bearer ${adminKey}` };
  for (const fact of newest('capture')) {
    for (const [index, id] of fact.ids.entries()) {
      const answer = await service.request('GET', `/api/v1/inspection/photographs/${id}/original`, {
        headers,
      });
      const same = answer.status === 200 && sha256(answer.bytes) === fact.photographs[index];
      expect(same, 'a photograph cannot be fetched');
    }
  }
  if (adminKey) {
    const answer = await service.request('GET', '/api/v1/credit/default/entries?limit=500', { headers });
    const references = answer.status === 200 ? answer.json.data.map(({ reference }) => reference) : [];
    for (const fact of newest('topUp')) expect(references.includes(fact.reference), 'a top-up is missing');
  }
  return faults;
}
