/**
 * Node's environment, in which a suite fails if it leaves something behind: a temporary file or folder, a child
 * process, a listening server, a database. A suite is a file, or in a lane the `describe` of one file.
 */
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/** Processes and servers may take a moment to end after the call that ends them has returned. */
const PATIENCE_MS = 15_000;

/** A worker's first temporary folder; later files of the worker make theirs beside it. */
const temporaryRoot = process.env.TEST_TEMPORARY_ROOT ?? tmpdir();

/** Returns the running child processes, by their command. */
function childProcesses() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(parent) !== process.pid || state === 'Z') return [];
      return [
        `process ${pid}: ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`,
      ];
    } catch {
      return [];
    }
  });
}

const servers = () =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => kind === 'TCPServerWrap' || kind === 'PipeServerWrap')
    .map((kind) => `listening server (${kind})`);

class TidyEnvironment extends TestEnvironment {
  constructor(config, context) {
    const folder = mkdtempSync(join(temporaryRoot, 't-'));
    // `tmpdir()` reads the worker's own environment, child processes the copy made of it here.
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    process.env.TEST_TEMPORARY_ROOT = temporaryRoot;
    super(config, context);
    this.temporaryBefore = before;
    this.folder = folder;
    this.reported = new Set();
    this.atStart = new Set(process.platform === 'linux' ? [...childProcesses()] : []);
    this.serversAtStart = servers().length;
    this.isLane = context.testPath.includes('/.cache/lanes/');
  }

  async handleTestEvent(event, state) {
    // Suites of a lane make folders when they are loaded, and delete them when they have run.
    if (event.name === 'run_start') this.madeWhenLoaded = new Set(readdirSync(this.folder));
    if (event.name !== 'run_describe_finish') return;
    const { parent, name } = event.describeBlock;
    if (name === 'ROOT_DESCRIBE_BLOCK') {
      this.madeWhenLoaded = new Set();
      await this.requireTidy(this.isLane ? 'a suite of this lane' : 'this suite', state);
    } else if (this.isLane && parent?.name === 'ROOT_DESCRIBE_BLOCK') await this.requireTidy(name, state);
  }

  leftovers() {
    const files = readdirSync(this.folder).filter((name) => !this.madeWhenLoaded.has(name));
    const left = files.map((name) => `temporary file ${name}`);
    if (process.platform === 'linux')
      left.push(...childProcesses().filter((each) => !this.atStart.has(each)));
    left.push(...servers().slice(this.serversAtStart));
    left.push(...(this.global.openDatabases ?? []));
    return left.filter((each) => !this.reported.has(each));
  }

  async requireTidy(suite, state) {
    const end = Date.now() + PATIENCE_MS;
    while (this.leftovers().length > 0 && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const left = this.leftovers();
    if (left.length === 0) return;
    // Reported once, so that a later suite of the lane is not blamed.
    for (const each of left) this.reported.add(each);
    this.serversAtStart = servers().length;
    state.unhandledErrors.push(new Error(`${suite} left behind:\n  ${left.join('\n  ')}`));
  }

  async teardown() {
    await super.teardown();
    if (this.temporaryBefore === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.temporaryBefore;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

mkdirSync(temporaryRoot, { recursive: true });
module.exports = TidyEnvironment;
