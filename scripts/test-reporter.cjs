/**
 * Prints a line for each suite as soon as it has ended, its failures below it; in a lane each file is a suite. Writes
 * the suites with their counts and seconds to the file that `TEST_SUITES_FILE` names.
 */
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

class TestReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.suites = new Map();
  }

  onTestFileStart({ path }) {
    this.startOf ??= new Map();
    this.startOf.set(path, Date.now());
  }

  nameOf(path, test) {
    return path.includes('/.cache/lanes/') ? test.ancestorTitles[0] : relative(this.rootDir, path);
  }

  suiteOf(path, test) {
    const name = this.nameOf(path, test);
    let suite = this.suites.get(name);
    if (!suite) {
      const previous = this.current?.get(path);
      if (previous) this.show(previous);
      suite = {
        name,
        passed: 0,
        failed: 0,
        skipped: 0,
        startedAt: previous?.endedAt ?? this.startOf.get(path),
      };
      this.suites.set(name, suite);
    }
    this.current ??= new Map();
    this.current.set(path, suite);
    suite.endedAt = Date.now();
    return suite;
  }

  onTestCaseResult({ path }, result) {
    const suite = this.suiteOf(path, result);
    if (result.status === 'passed') suite.passed++;
    else if (result.status === 'failed') suite.failed++;
    else suite.skipped++;
  }

  onTestResult({ path }, result) {
    const last = this.current?.get(path);
    if (last) this.show({ ...last, endedAt: Date.now() });
    if (result.failureMessage) process.stdout.write(`${result.failureMessage}\n`);
  }

  show({ name, passed, failed, skipped, startedAt, endedAt }) {
    const seconds = ((endedAt - startedAt) / 1000).toFixed(1);
    const counts = [
      `${passed} passed`,
      failed > 0 && `${failed} FAILED`,
      skipped > 0 && `${skipped} skipped`,
    ];
    process.stdout.write(
      `${failed > 0 ? 'FAIL' : 'ok  '} ${name} (${counts.filter(Boolean).join(', ')}; ${seconds} s)\n`,
    );
  }

  onRunComplete() {
    const file = process.env.TEST_SUITES_FILE;
    if (file) writeFileSync(file, JSON.stringify([...this.suites.values()]));
  }
}

module.exports = TestReporter;
