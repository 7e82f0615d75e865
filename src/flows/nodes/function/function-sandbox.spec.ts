import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '../../../../test/support/eventually.js';
import type { Json } from '../../engine/json.js';
import { FunctionSandbox } from './function-sandbox.js';
import type { SandboxEnd } from './sandboxed-code.js';

const sandbox = new FunctionSandbox();
afterAll(() => sandbox.onModuleDestroy());

const run = (code: string, globals: Record<string, Json> = {}, more: object = {}, flowId = 'f') =>
  sandbox.run(
    { code, globals, timeoutMs: 1_000, memoryMb: 64, ...more },
    { flowId, signal: new AbortController().signal },
  );
const valueOf = async (code: string, globals?: Record<string, Json>): Promise<unknown> => {
  const end: SandboxEnd = await run(code, globals);
  if ('error' in end) throw new Error(end.error);
  return JSON.parse(end.result);
};
const errorOf = async (code: string, more: object = {}): Promise<string> => {
  const end = await run(code, {}, more);
  return 'error' in end ? end.error : `no error: ${end.result.slice(0, 200)}`;
};
/** Processes of functions that this one has begun. */
const childrenOf = (parent: number): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes('sandbox-worker') && line.trim().split(/\s+/)[1] === String(parent))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the sandbox of functions', () => {
  it.each<[string, string, unknown]>([
    ['a value', 'return { a: [1, "x", null] }', { a: [1, 'x', null] }],
    ['what it awaits', 'const x = await Promise.resolve(20); return x + 1', 21],
    ['what it is given', 'return $a.length + $vars.b', 5],
    ['nothing as null', 'return', null],
    ['nothing for a function', 'return () => 1', null],
    ['a date as JSON has it', 'return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['what it said to the console as nothing', 'console.log("x"); return 1', 1],
    [
      'names that only look special',
      'return JSON.parse(\'{"__proto__":1,"constructor":2}\')',
      JSON.parse('{"__proto__":1,"constructor":2}'),
    ],
    ['NUL and lone surrogates', 'return "a\\u0000\\ud800"', 'a\u0000\ud800'],
  ])('returns %s', async (_what, code, value) => {
    expect(await valueOf(code, { $a: 'abc', $vars: { b: 2 } })).toEqual(value);
  });

  it('has nothing of the host, nor anything that waits', async () => {
    const names = [
      'process',
      'require',
      'module',
      'exports',
      'global',
      'fetch',
      'XMLHttpRequest',
      'WebSocket',
      'Buffer',
    ];
    const others = [
      'setTimeout',
      'setInterval',
      'setImmediate',
      'WebAssembly',
      'Worker',
      'std',
      'os',
      'print',
      'scriptArgs',
    ];
    const found = `return ${JSON.stringify([...names, ...others])}.filter((name) => name in globalThis)`;
    expect(await valueOf(found)).toEqual([]);
  });

  it.each([
    'return await import("fs")',
    'return import.meta.url',
    'return this.constructor.constructor("return process")()',
    'return (async () => {}).constructor("return process.env")()',
    'return Function("return require")()("fs")',
    'return [].filter.constructor("return globalThis.process.mainModule")()',
  ])('reaches nothing by %s', async (code) => {
    expect(await errorOf(code)).toMatch(/^The function failed: (ReferenceError|TypeError|SyntaxError)/);
  });

  it.each([
    ['a loop', 'for (;;);'],
    ['a loop that catches everything', 'for (;;) { try { for (;;); } catch {} finally { for (;;); } }'],
    [
      'a loop of promises',
      '(function f() { Promise.resolve().then(f) })(); return await new Promise(() => {})',
    ],
    ['a loop within the machine', 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['a pattern that tries everything', 'return /(x+x+)+y/.test("x".repeat(60))'],
    ['a getter of its result', 'return { get a() { for (;;); } }'],
    ['a thrown value that takes its time', 'throw { get message() { for (;;); } }'],
    ['a thenable', 'return { then() { for (;;); } }'],
  ])('ends %s after its time, and goes on with the next', async (_what, code) => {
    expect(await errorOf(code, { timeoutMs: 300 })).toBe(
      'The function computed for more than 300 ms. Shorten its work, or end its loop.',
    );
    expect(await valueOf('return 1')).toBe(1);
  });

  it.each([
    ['lists', 'const a = []; for (;;) a.push(new Array(1000).fill(1))'],
    ['bytes', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))'],
    ['one huge array', 'return new Uint8Array(1e9).length'],
    ['a text', 'return "x".repeat(2 ** 29)'],
    ['a text that doubles', 'let s = "x".repeat(1e6); const a = []; for (;;) a.push((s += s) + 1)'],
  ])('ends one that fills the memory with %s', async (_what, code) => {
    expect(await errorOf(code, { memoryMb: 16, timeoutMs: 20_000 })).toMatch(
      /needed more than 16 MiB of memory|string too long|invalid array length/,
    );
  });

  it.each([
    ['calls itself for ever', 'return (function f() { return f() + 1 })()', /nests too deep/],
    [
      'returns what nests for ever',
      'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a',
      /nests too deep/,
    ],
    [
      'is written with a hundred thousand brackets',
      `return ${'('.repeat(1e5)}`,
      /nests too deep|SyntaxError/,
    ],
    ['returns a circle', 'const a = {}; a.a = a; return a', /TypeError: circular reference/],
    ['returns more than anybody reads', 'return "x".repeat(5e6)', /returned 5000002 characters/],
    ['returns a number that JSON has not', 'return 1n', /TypeError/],
    [
      'waits for what never comes',
      'await new Promise(() => {})',
      /waits for a promise that is never settled/,
    ],
    ['is no JavaScript', 'return 1 +', /SyntaxError/],
    ['closes more than it opened', '}); (() => { for (const a of', /SyntaxError/],
    [
      'throws',
      'const a = 1;\nthrow new RangeError("too far")',
      /^The function failed: RangeError: too far \(line 2\)$/,
    ],
    ['throws nothing', 'throw null', /^The function failed: null$/],
    ['throws an object', 'throw { code: 17 }', /^The function failed: \{"code":17\}$/],
    [
      'throws what cannot be told',
      'throw { toString() { throw 1 }, message: Symbol() }',
      /^The function failed: /,
    ],
    ['rejects', 'await Promise.reject(new Error("no"))', /Error: no/],
    [
      'throws a megabyte',
      'throw new Error("y".repeat(1e6))',
      /^The function failed: Error: y{900,1000} \(line 1\)$/,
    ],
  ])('says clearly that one %s', async (_what, code, message) => {
    expect(await errorOf(code)).toMatch(message);
  });

  it('leaves nothing of one run to the next, whatever it changed', async () => {
    await errorOf(
      'globalThis.left = 1; Object.prototype.toJSON = () => "mine"; JSON.stringify = () => "mine"; Promise.prototype.then = null; Array.prototype.push = null; return {}',
    );
    expect(await valueOf('return { left: globalThis.left, list: [1, 2] }')).toEqual({ list: [1, 2] });
  });

  it('lets no flow hold up another one for longer than a turn', async () => {
    let ended = 0;
    const bad = Array.from({ length: 9 }, () =>
      run('for (;;);', {}, { timeoutMs: 250 }, 'bad').finally(() => ended++),
    );
    expect(await run('return 1', {}, {}, 'good')).toEqual({ result: '1' });
    // In the order of their arrival it would have begun after six of them.
    expect(ended).toBeLessThan(6);
    await Promise.all(bad);
    expect(childrenOf(process.pid).length).toBeLessThanOrEqual(4);
  });

  it('runs a function again whose process others killed, and has another process then', async () => {
    const long = run('const until = Date.now() + 600; while (Date.now() < until); return "done"');
    await new Promise((resolve) => setTimeout(resolve, 150));
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
    expect(await long).toEqual({ result: '"done"' });
    expect(await valueOf('return 2')).toBe(2);
  });

  it('does not outlive the service, whatever it is doing', async () => {
    const file = join(__dirname, 'sandbox-process.ts');
    const code = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
    const program = `const { SandboxProcess } = require(${JSON.stringify(file)});
      new SandboxProcess().run({ code: ${JSON.stringify(code)}, globals: {}, timeoutMs: 900000, memoryMb: 8 });`;
    const loader = join(__dirname, '../../../../test/support/ts-register.cjs');
    const service = spawn(process.execPath, ['--require', loader, '-e', program], { stdio: 'ignore' });
    await eventually(() => childrenOf(service.pid!).length === 1);
    const [child] = childrenOf(service.pid!);
    // By now it computes, and hears nothing.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    service.kill('SIGKILL');
    await eventually(() => !isAlive(child!));
  });

  it('stops waiting when its run is over', async () => {
    const leaving = new AbortController();
    const task = { code: 'for (;;);', globals: {}, timeoutMs: 1_000, memoryMb: 64 };
    const left = sandbox.run(task, { flowId: 'f', signal: leaving.signal });
    leaving.abort(new Error('the run is over'));
    await expect(left).rejects.toThrow('the run is over');
  });
});
