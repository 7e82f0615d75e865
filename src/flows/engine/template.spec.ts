import fc from 'fast-check';
import { computedMs } from '../../../test/support/computed.js';
import type { Json } from './json.js';
import type { RunInput } from './node-kind.js';
import { RunScope } from './run-scope.js';
import { fillTemplate, fillValue, type Lookup, parseTemplate, valueAt } from './template.js';

const values: Record<string, Json> = {
  question: 'Is it $& {{name}} clean?',
  name: 'Ann',
  list: [{ a: 1 }, 2],
  nothing: null,
};
const lookup: Lookup = (root, path) =>
  Object.hasOwn(values, root) ? valueAt(values[root], path) : undefined;
const fill = (text: string) => fillTemplate(parseTemplate(text), lookup);

const input = (more: Partial<RunInput> = {}): RunInput => ({
  executionId: 'e1',
  flowId: 'f1',
  chatId: 'c1',
  sessionId: 'c1',
  question: 'hello',
  uploads: [],
  history: async () => [{ role: 'user', content: 'earlier' }],
  vars: new Map(),
  publicUrl: 'http://localhost',
  ...more,
});

describe('templates', () => {
  it('inserts values as they are, without a second pass and without $& surprises', () => {
    expect(fill('Q: {{question}} / {{ name }}')).toBe('Q: Is it $& {{name}} clean? / Ann');
  });

  it('never reads what a value contains as a template, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '{{x}}', '{{', '}}', '$&', 'x') }), (value) => {
        const filled = fillTemplate(parseTemplate('<{{x}}|{{x}}>'), (root) =>
          root === 'x' ? value : undefined,
        );
        expect(filled).toBe(`<${value}|${value}>`);
      }),
    );
  });

  it('leaves any text without a known reference exactly as it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', ' ', '.', '$', '\\', 'a', '[', ']') }),
        (text) => {
          expect(fillTemplate(parseTemplate(text), () => undefined)).toBe(text);
        },
      ),
    );
  });

  it('leaves an unknown reference as written', () => {
    expect(fill('{{unknown}} {{list.9}} {{list.constructor}} {{ name.length }}')).toBe(
      '{{unknown}} {{list.9}} {{list.constructor}} {{ name.length }}',
    );
  });

  it('reads JSON with braces around references', () => {
    expect(fill('{"a":{"b":"{{name}}"}}')).toBe('{"a":{"b":"Ann"}}');
    expect(fill('{{{name}}} {{ {{name}}')).toBe('{Ann} {{ Ann');
  });

  it('follows paths with dots and brackets, through own members only', () => {
    expect(fill('{{list.0.a}}{{list[1]}} {{list}} [{{nothing}}] {{list.length}}')).toBe(
      '12 [{"a":1},2] [] 2',
    );
    expect(fill('{{list.__proto__}} {{list.0.toString}}')).toBe('{{list.__proto__}} {{list.0.toString}}');
  });

  it('says a list in words for running text', () => {
    const say = (list: Json) => valueAt(list, ['inWords']);
    expect(say(['gas-meter', 'keys', 'detectors'])).toBe('gas meter, keys and detectors');
    expect([say(['keys']), say([]), say({ a: 1 })]).toEqual(['keys', '', undefined]);
  });

  it('keeps the type of a value where the template is one reference', () => {
    expect(fillValue(parseTemplate('{{list}}'), lookup)).toEqual([{ a: 1 }, 2]);
    expect(fillValue(parseTemplate('{{list}} '), lookup)).toBe('[{"a":1},2] ');
  });

  it('reads a megabyte of open braces in linear time', async () => {
    const fillHostile = () => {
      for (const hostile of ['{{'.repeat(500_000), '{{a'.repeat(300_000) + '}}', '{{}}'.repeat(250_000)])
        expect(fill(hostile)).toBe(hostile);
    };
    expect(await computedMs(fillHostile, 2_000)).toBeLessThan(2_000);
  });
});

describe('the names that a run answers', () => {
  const scope = new RunScope(
    input({
      vars: new Map<string, Json>([
        ['town', { name: 'Leeds' }],
        ['__proto__', 'own'],
      ]),
      form: { size: 3 },
      uploads: [
        { type: 'file:full', name: 'a.txt', mime: 'text/plain', bytes: Buffer.from('words') },
        { type: 'url', name: 'b.png', mime: 'image/png', url: 'https://x.example/b.png' },
      ],
    }),
    Object.assign(Object.create(null) as Record<string, Json>, { step: 2 }),
    () => 0,
  );
  const text = (template: string) => fillTemplate(parseTemplate(template), (r, p) => scope.lookup(r, p));

  it('answers question, vars, form, state, ids and the time', () => {
    expect(
      text('{{question}} {{$vars.town.name}} {{$form.size}} {{$flow.state.step}} {{$flow.chatId}}'),
    ).toBe('hello Leeds 3 2 c1');
    expect(text('{{$flow.sessionId}} {{current_date_time}} {{$vars.__proto__}}')).toBe(
      'c1 1970-01-01T00:00:00.000Z own',
    );
    expect(text('{{$flow.state.other}} {{$vars.constructor}}')).toBe(
      '{{$flow.state.other}} {{$vars.constructor}}',
    );
  });

  it('answers uploads and attached texts', () => {
    expect(text('{{uploads.length}} {{uploads.1.url}} {{uploads.0.size}}')).toBe(
      '2 https://x.example/b.png 5',
    );
    expect(text('{{uploads.0.data}}')).toBe('data:text/plain;base64,d29yZHM=');
    expect(text('{{file_attachment}}')).toBe("<doc name='a.txt'>words</doc>");
  });

  it('loads the earlier messages only when asked to', async () => {
    expect(text('{{chat_history}}')).toBe('{{chat_history}}');
    await scope.loadHistory();
    expect(text('{{chat_history}} {{runtime_messages_length}}')).toBe('user: earlier 1');
  });
});

it('refuses a text that its values would make endless', () => {
  const long = 'x'.repeat(2 ** 26);
  const doubled = () => fillTemplate(parseTemplate('{{a}}{{a}}!'), () => long);
  expect(doubled).toThrow(/Refer to less in it/);
  expect(fillTemplate(parseTemplate('{{a}}!'), () => long)).toHaveLength(2 ** 26 + 1);
});
