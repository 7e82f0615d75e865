import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { CaseResult, CaseRunView } from '../../src/api/cases.js';
import { DatabaseReader } from '../../src/database/database-reader.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';
import type { ServiceClient } from './service-client.js';

/** The session that a caller of the flow names. */
export const REAL = 'a-real-inspection';

/** A flow that records, corrects, renders and mails an inspection, and asks a target before it answers. */
export const inspecting = (host: string, more: object = {}) => {
  const sessionId = '{{$vars.place}}';
  const nodes = [
    { id: 'start', kind: 'start' },
    { id: 'take', kind: 'capture', config: { area: 'Kitchen', remark: '{{question}}', sessionId } },
    { id: 'know', kind: 'set-details', config: { details: { address: '{{question}}, Leeds' }, sessionId } },
    { id: 'mend', kind: 'correct', config: { target: 'last', caption: 'Mended', sessionId } },
    {
      ...{ id: 'report', kind: 'render' },
      config: { meta: { tenant: '{{question}}' }, sessionId, email: { to: 'clerk@example.com' } },
    },
    { id: 'get', kind: 'http', config: { url: `http://${host}/{{question}}` } },
    {
      ...{ id: 'reply', kind: 'reply' },
      config: {
        message:
          '{{mend.output.caption}}: {{report.output.claimed}} claimed for {{know.output.details.address}}',
      },
    },
  ];
  const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]!.id, to: id }));
  return { name: 'Inspecting', vars: { place: { value: '' } }, nodes, edges, ...more };
};

/** The body of a call of the flow with one photograph. */
export const photographed = async (question: string, place: string) => {
  const { r, g, b } = { r: question.length, g: 90, b: 140 };
  const jpeg = await sharp({ create: { width: 320, height: 240, channels: 3, background: { r, g, b } } })
    .jpeg()
    .toBuffer();
  const data = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  return {
    question,
    overrideConfig: { vars: { place } },
    uploads: [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data }],
  };
};

/** Starts the cases of a flow and returns the address of their run. */
export async function startCases(client: ServiceClient, flow: string, body: object = {}): Promise<string> {
  const started = await client.admin('POST', `flows/${flow}/cases/run`, body);
  if (started.status !== 202) throw new Error(started.text);
  return started.headers.get('location')!.replace('/api/v1/', '');
}

/** Waits for the end of a run of cases. */
export async function endedCases(client: ServiceClient, location: string): Promise<CaseResult[]> {
  let view: CaseRunView | undefined;
  await eventually(async () => {
    view = (await client.admin('GET', location)).body as CaseRunView;
    return view.status !== 'running';
  });
  return view!.results;
}

/** Tables that tests or a run of cases may change. */
const ITS_OWN = /^(case_|flow|credit_|ledger|process|migrations|rate_)/;

/** The rows of every table except those of flows, cases and credit, as text. */
export async function allRows(service: TestApp): Promise<Record<string, string>> {
  const reader = service.app.get(DatabaseReader);
  const names = await reader.all<{ name: string }>(
    service.place.databaseUrl.startsWith('sqlite')
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'`
      : `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const rows: Record<string, string> = {};
  for (const { name } of names.filter((each) => !ITS_OWN.test(each.name)))
    rows[name] = (await reader.all(`SELECT * FROM ${name}`))
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n');
  return rows;
}

/** Every file and folder of the service, without those of its database and of drafts. */
export const allFiles = (service: TestApp): string[] =>
  (readdirSync(service.place.dataDir, { recursive: true }) as string[])
    .filter((name) => !/service\.sqlite|presence|drafts/.test(name))
    .sort();

/** The files of rehearsals. */
export const rehearsed = ({ dataDir }: { dataDir: string }): string[] => {
  try {
    return readdirSync(join(dataDir, 'blobs', 'rehearsals'), { recursive: true }) as string[];
  } catch {
    return [];
  }
};

/** The answers of every list that could show an inspection, an execution or a report. */
export async function allLists(client: ServiceClient, flow: string): Promise<string[]> {
  const paths = [
    ...['executions', 'executions?q=Kitchen', `executions?flowId=${flow}`, 'executions/stats'],
    ...['executions/export', 'inspection/sessions', 'inspection/sessions?q=Leeds', 'pdf/reports'],
    ...[`inspection/sessions/${REAL}?flowId=${flow}`, `inspection/sessions/${REAL}/areas?flowId=${flow}`],
    ...[`inspection/sessions/${REAL}/previous-items?flowId=${flow}`, `pdf/reports?sessionId=${REAL}`],
    ...[`inspection/sessions/${REAL}/things?flowId=${flow}`, `chatmessage/${flow}`],
    ...[`inspection/sessions/${REAL}/details?flowId=${flow}`, 'pdf/delivery', 'leads', 'feedback'],
  ];
  const answers = await Promise.all(paths.map((path) => client.admin('GET', path)));
  return answers.map(({ status, text }, index) => `${paths[index]} ${status} ${withoutTimes(text)}`);
}

const withoutTimes = (text: string): string =>
  text.replaceAll(/"(from|to|now|until)":"[^"]*"/g, '').replaceAll(/expires=\d+&signature=[\w-]+/g, '');
