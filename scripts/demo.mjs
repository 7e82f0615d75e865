/**
 * Plays a whole inspection over HTTP, as a person with a phone would: starts its own service (a temporary data
 * directory, a free port), chats with the sample flow `inspection-assistant`, sends the sample photographs and writes
 * the report to `demo-output/`. Exits with 0 only if every answer was the expected one. `npm run demo`
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const chatId = 'demo-inspection';

/** Details that the office enters beforehand. */
const details = {
  company: 'Acacia Lettings',
  tenant: 'Sample Tenant',
  tenancy: { start: '2026-12-01', end: '2027-11-30' },
  present: ['The inspector', 'The tenant'],
  overview: { decor: 'Neutral, recently painted', cleanliness: 'Domestic', furnished: 'part_furnished' },
  documents: [{ kind: 'Energy performance certificate', date: '2026-03-02' }, { kind: 'Gas safety record' }],
};

/** The messages, the photographs beside them, and the words that each answer must contain. */
const conversation = [
  { say: 'Hello', expect: /address of the property/ },
  { say: '14 Acacia Avenue, Leeds LS1 4AP', expect: /Check-in/ },
  { say: 'check-in please', expect: /inspector.s name/ },
  { say: 'Duty Inspector', expect: /We can begin/ },
  { say: 'Hallway', photographs: ['hallway'], expect: /1 photograph in Hallway/ },
  {
    say: 'Walls: good, clean; Floor: good, dusty, grit inside the door; Lighting: good',
    expect: /Noted under Hallway: Walls \(good, clean\); Floor \(good, dusty\); Lighting \(good\)/,
  },
  { say: 'Kitchen', expect: /^Kitchen/ },
  {
    say: 'Hob: poor, dirty, burnt-on grease; Walls: good, clean',
    photographs: ['kitchen-1'],
    streamed: true,
    expect: /1 photograph in Kitchen[^]*Hob \(poor, dirty\)/,
  },
  {
    say: 'Worktop: fair, clean, light scratch left of the sink; Sink: good, clean',
    photographs: ['kitchen-2-sink'],
    expect: /Worktop \(fair, clean\)/,
  },
  { say: 'remark: the window key is in the top drawer', expect: /Noted under Kitchen/ },
  {
    say: 'Living room',
    photographs: ['living-room-1', 'living-room-2-radiator'],
    expect: /2 photographs in Living room/,
  },
  { say: 'remark: scuff on the wall beside the radiator', expect: /Noted under Living room/ },
  { say: 'Bedroom 1', photographs: ['bedroom-1'], expect: /1 photograph in Bedroom 1/ },
  {
    say: 'Wardrobe: fair, clean, left door does not close; Carpet: good, stained, two marks by the window',
    photographs: ['bedroom-2-wardrobe'],
    expect: /Noted under Bedroom 1/,
  },
  { say: 'Bathroom', photographs: ['bathroom'], expect: /1 photograph/ },
  { say: 'Rear garden', photographs: ['garden'], expect: /1 photograph/ },
  { say: 'Electric meter', photographs: ['electricity-meter'], expect: /What does the meter read\?/ },
  { say: '04731', expect: /The reading 04731 is noted/ },
  {
    say: 'Gas meter',
    photographs: ['gas-meter'],
    expect: /Still outstanding: Water Meter, Keys and Detectors/,
  },
  { say: '02846 m3', expect: /The reading 02846 is noted/ },
  { say: 'skip water meter', expect: /not available: water meter/ },
  { say: 'Keys', photographs: ['keys'], expect: /How many keys are there/ },
  { say: '2 front door, 1 window', expect: /2 × Front door, 1 × Window/i },
  { say: 'status', expect: /Still outstanding: Detectors/ },
  { say: 'Smoke alarm', photographs: ['smoke-alarm'], expect: /are covered/ },
  { say: 'landing, tested', expect: /tested/ },
  { say: 'finish', expect: /The cover will say: Check-.*14 Acacia Avenue[^]*Shall I make the report\?/ },
  { say: 'yes', streamed: true, expect: /Your report is ready: http[^]*File: \d{8} 14 LS1 4AP\.pdf/ },
];

if (!process.env.PROVE_DIST) {
  const script = join(root, 'scripts', 'ensure-built.mjs');
  const built = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(1);
}
const place = await makePlace('sqlite');
const service = await startService(place, { SAMPLES: 'on' });
try {
  console.log(`The service runs at ${service.url}\n`);
  const path = `/api/v1/inspection/sessions/${chatId}/details?flowId=inspection-assistant`;
  await service.admin('PATCH', path, details);
  const report = await play();
  await collect(report);
  await finishAgain();
} finally {
  await service.stop();
  await place.remove();
}
if (service.child.exitCode !== 0 && service.child.signalCode !== 'SIGTERM')
  throw new Error(`the service stopped with ${service.child.exitCode}:\n${service.log()}`);
console.log('The service has stopped: its links no longer work. The report stays in demo-output/.');

async function play() {
  let last;
  for (const [index, turn] of conversation.entries()) {
    const files = (turn.photographs ?? []).map((name) => join(root, 'samples', 'photographs', `${name}.jpg`));
    const shown = [turn.say, ...files.map((file) => `[${basename(file)}]`)].filter(Boolean).join('  ');
    console.log(`${String(index + 1).padStart(2)}/${conversation.length}  you        ${shown}`);
    const body = { question: turn.say, chatId, uploads: files.map(upload) };
    last = await (turn.streamed ? streamed(body) : answered(body));
    if (!turn.expect.test(last.text)) throw new Error(`expected ${turn.expect}, got:\n${last.text}`);
  }
  return last;
}

function upload(file) {
  const data = `data:image/jpeg;base64,${readFileSync(file, 'base64')}`;
  return { type: 'file', name: basename(file), mime: 'image/jpeg', data };
}

function indented(text) {
  return text.replaceAll('\n', '\n                  ');
}

async function post(body) {
  const response = await fetch(`${service.url}/api/v1/prediction/inspection-assistant`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}

async function answered(body) {
  const answer = await (await post(body)).json();
  console.log(`       assistant  ${indented(answer.text)}\n`);
  for (const { code, message } of answer.warnings ?? [])
    console.log(`       warning    ${message} (${code})\n`);
  return answer;
}

/** The same call with `streaming`: the tokens are printed as they arrive, the metadata closes the answer. */
async function streamed(body) {
  const response = await post({ ...body, streaming: true });
  if (!response.headers.get('content-type').startsWith('text/event-stream'))
    throw new Error(`expected a stream, got ${response.headers.get('content-type')}`);
  process.stdout.write('       assistant  ');
  const answer = { text: '' };
  for await (const { event, data } of eventsOf(response.body)) {
    if (event === 'token') {
      answer.text += data;
      process.stdout.write(indented(data));
    } else if (event === 'metadata') Object.assign(answer, data);
    else if (event === 'error') throw new Error(`the run failed: ${data}`);
    else if (event === 'end') answer.ended = true;
  }
  console.log('   (streamed)\n');
  if (!answer.ended || !answer.executionId) throw new Error('the stream broke off');
  return answer;
}

async function* eventsOf(body) {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5));
  }
}

/** Fetches the report by the link in the answer and compares it with the record of the call. */
async function collect({ text, executionId }) {
  const [link] = /https?:\/\/\S+/.exec(text) ?? [];
  const response = await fetch(link);
  const pdf = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200 || pdf.subarray(0, 5).toString() !== '%PDF-')
    throw new Error(`the link gave ${response.status} and no PDF`);
  const record = (await service.admin('GET', `/api/v1/executions/${executionId}`)).json;
  const { file } = record.nodes.find(({ kind }) => kind === 'render').output;
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  if (sha256 !== file.sha256)
    throw new Error(`the file's SHA-256 is ${sha256}, the record says ${file.sha256}`);
  const sent = conversation.flatMap(({ photographs = [] }) => photographs).length;
  if (file.photographs !== sent)
    throw new Error(`${sent} photographs sent, ${file.photographs} in the report`);
  mkdirSync(join(root, 'demo-output'), { recursive: true });
  const saved = join('demo-output', file.filename);
  writeFileSync(join(root, saved), pdf);
  console.log(`The report   ${saved}`);
  console.log('  link       fetched; it works only while this service runs');
  console.log(`  pages      ${file.pages}, photographs ${file.photographs}`);
  console.log(`  size       ${(pdf.length / 1024 / 1024).toFixed(2)} MB`);
  console.log(`  sha256     ${sha256}\n`);
}

async function finishAgain() {
  console.log('And once more: photographs are never reported twice.');
  console.log('       you        finish');
  const { text } = await answered({ question: 'finish', chatId });
  if (!/No new photographs/.test(text)) throw new Error(`expected no new photographs, got:\n${text}`);
}
