/** Collects the figures of a proof, prints each one, and fails the process if one is not as expected. */
export class Proof {
  constructor(name) {
    this.name = name;
    this.failures = 0;
    this.checks = 0;
    console.log(`\n# ${name}`);
  }

  /** Checks one figure: its name, its value, and the expected one. */
  expect(what, actual, expected) {
    const holds = typeof expected === 'function' ? expected(actual) : Object.is(actual, expected);
    this.checks++;
    if (!holds) this.failures++;
    const wanted = typeof expected === 'function' ? (expected.says ?? 'as required') : expected;
    console.log(`  ${holds ? 'ok  ' : 'FAIL'}  ${what}: ${actual}${holds ? '' : ` (must be ${wanted})`}`);
  }

  /** Checks a figure of time or memory at full size; the short versions, which run anywhere, only print it. */
  measure(what, actual, expected) {
    if (process.env.PROVE_SHORT === '1') this.note(`${what}: ${actual}`);
    else this.expect(what, actual, expected);
  }

  note(text) {
    console.log(`        ${text}`);
  }

  end() {
    console.log(`\n${this.checks - this.failures} passed, ${this.failures} failed`);
    if (this.failures > 0) process.exitCode = 1;
  }
}

/** The exit code of a proof without a result: neither passed nor failed. */
export const SKIPPED = 77;

/** Ends a proof that cannot run here; if everything must run (CI, `REQUIRE_SERVICES=1`) it has failed. */
export function skip(why) {
  const required = process.env.REQUIRE_SERVICES === '1' || process.env.CI === 'true';
  console.log(required ? `  FAIL  ${why}` : `SKIPPED: ${why}. Nothing was proved.`);
  process.exit(required ? 1 : SKIPPED);
}

export const atMost = (limit) => Object.assign((value) => value <= limit, { says: `at most ${limit}` });
export const atLeast = (limit) => Object.assign((value) => value >= limit, { says: `at least ${limit}` });

export function countBy(items, keyOf) {
  const counts = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

/** Runs `task(0..total-1)`, at most `width` at a time. */
export async function inParallel(total, width, task) {
  const results = new Array(total);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(width, total) }, async () => {
      while (next < total) {
        const index = next++;
        results[index] = await task(index);
      }
    }),
  );
  return results;
}
