import release from '@jitl/quickjs-wasmfile-release-sync';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import {
  MOST_RESULT,
  outOfMemory,
  PATIENCE,
  type SandboxEnd,
  type SandboxTask,
  tookTooLong,
} from './sandboxed-code.js';

/** The types that the service is compiled with lack these. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (pages: { initial: number; maximum: number }) => object;
};

const PAGE_BYTES = 65_536;
/** Memory for QuickJS itself in addition to that of the function. */
const FIRST_PAGES = (16 * 1024 * 1024) / PAGE_BYTES;
const MOST_PAGES = (96 * 1024 * 1024) / PAGE_BYTES;
const STACK_BYTES = 256 * 1024;
/** Promise jobs between two checks of the clock. */
const JOBS_AT_ONCE = 1_000;

/** Lines that the constructor of functions adds before the code. */
const LINES_BEFORE = 2;

/**
 * Runs in the sandbox before the function, so that the function cannot replace what it uses. Only the host sees `outcome`.
 * There are no timers, no console output and no modules.
 */
const PRELUDE = `(() => {
  const { parse, stringify } = JSON;
  const text = String;
  const compile = Object.getPrototypeOf(async () => {}).constructor;
  const nothing = () => undefined;
  globalThis.console = { log: nothing, info: nothing, warn: nothing, error: nothing, debug: nothing };
  const describe = (error) => {
    if (typeof error !== 'object' || error === null) return { message: text(error), stack: '' };
    const { name, message, stack } = error;
    const words = text(message === undefined ? stringify(error) : message);
    return { message: (name ? text(name) + ': ' : '') + words, stack: text(stack) };
  };
  return (code, globals) => {
    const outcome = { state: 'pending', text: '', stack: '' };
    const given = parse(globals);
    for (const name of Object.keys(given)) globalThis[name] = given[name];
    (async () => {
      try {
        const value = await compile(code)();
        const json = stringify(value);
        outcome.text = json === undefined ? 'null' : json;
        outcome.state = 'returned';
      } catch (error) {
        outcome.state = 'failed';
        outcome.text = 'The function threw a value that cannot be described.';
        const { message, stack } = describe(error);
        outcome.text = message;
        outcome.stack = stack;
      }
    })();
    return outcome;
  };
})()`;

const wasm = new WebAssembly.Module(
  readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
);

/** Runs a function in a virtual machine of its own, which is discarded afterwards. Never throws. */
export async function runInSandbox(task: SandboxTask): Promise<SandboxEnd> {
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  const machine = newVariant(release as unknown as QuickJSSyncVariant, { wasmModule: wasm, wasmMemory });
  const quickjs = await newQuickJSWASMModuleFromVariant(machine);
  const runtime = quickjs.newRuntime();
  const isLate = deadline(task.timeoutMs);
  runtime.setMemoryLimit(task.memoryMb * 1024 * 1024);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(isLate);
  // Nothing is disposed of, because the whole WebAssembly instance is dropped after this call.
  try {
    return outcomeOf(runtime.newContext(), runtime, task, isLate);
  } catch (error) {
    if (isLate()) return { error: tookTooLong(task.timeoutMs) };
    return { error: worded((error as Error).message, task) };
  }
}

/** Returns a deadline in processor time, so that a busy machine does not fail a function, with a far longer wall time. */
function deadline(timeoutMs: number): () => boolean {
  const [used, begun] = [process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1_000 > timeoutMs || performance.now() - begun > timeoutMs * PATIENCE;
  };
}

function outcomeOf(
  context: QuickJSContext,
  runtime: QuickJSRuntime,
  task: SandboxTask,
  isLate: () => boolean,
): SandboxEnd {
  const start = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  const given = [context.newString(task.code), context.newString(JSON.stringify(task.globals))];
  const outcome = context.unwrapResult(context.callFunction(start, context.undefined, ...given));
  while (runtime.hasPendingJob()) {
    if (isLate()) return { error: tookTooLong(task.timeoutMs) };
    context.unwrapResult(runtime.executePendingJobs(JOBS_AT_ONCE));
  }
  const member = (name: string) => context.getProp(outcome, name);
  const state = context.getString(member('state'));
  if (isLate()) return { error: tookTooLong(task.timeoutMs) };
  if (state === 'pending')
    return {
      error: 'The function waits for a promise that is never settled. Timers and requests are not available.',
    };
  const length = context.getNumber(context.getProp(member('text'), 'length'));
  if (length > MOST_RESULT)
    return {
      error: `The function returned ${length} characters of JSON; at most ${MOST_RESULT} are allowed.`,
    };
  const text = context.getString(member('text'));
  if (state === 'returned') return { result: text };
  return { error: worded(text, task, lineIn(context.getString(member('stack')))) };
}

/** Returns the line of the failure in the author's code. */
function lineIn(stack: string): number | undefined {
  const line = Number(/<input>:(\d{1,7})/.exec(stack)?.[1] ?? 0) - LINES_BEFORE;
  return line > 0 ? line : undefined;
}

function worded(message: string, { memoryMb }: SandboxTask, line?: number): string {
  if (/InternalError: out of memory|^out of memory/.test(message)) return outOfMemory(memoryMb);
  if (/stack overflow|Maximum call stack/.test(message))
    return 'The function recurses or nests too deep. Its stack has 256 KiB.';
  const place = line === undefined ? '' : ` (line ${line})`;
  return `The function failed: ${message.slice(0, 1_000)}${place}`;
}
