import { LRUCache } from 'lru-cache';
import { declareBudget } from '../../common/budgets/budget.js';
import { LimitedThreads, ThreadEnded } from '../../common/processes/limited-thread.js';
import type { Json } from '../engine/json.js';
import { compileSchema, type FormCheck } from './compile-schema.js';
import { schemaCost, valuesIn } from './schema-cost.js';
import type { FormTask } from './schema-worker.js';

const STEPS = declareBudget({
  name: 'steps of one check against a JSON Schema on the main thread',
  unit: 'values',
  owner: 'call',
  share: 100_000,
  beyond: 'the check runs in a thread of its own',
  reason: 'Schemas written out × values: some milliseconds. References may double at each level.',
});

const SCHEMAS = declareBudget({
  name: 'parts of a JSON Schema that a check compiles on the main thread',
  unit: 'values',
  owner: 'call',
  share: 1_000,
  beyond: 'the check runs in a thread of its own',
  reason: 'A tenth of a millisecond each. Forms and tools have some tens.',
});

const TIME = declareBudget({
  name: 'time of one check against a JSON Schema in a thread',
  unit: 'ms',
  owner: 'call',
  share: 2_000,
  beyond: 'the node fails: the schema takes too long to check',
  reason: 'The thread is ended then.',
});

const PLACES = declareBudget({
  name: 'checks against large JSON Schemas, under way and waiting',
  unit: 'calls',
  owner: 'target',
  share: 32,
  total: 64,
  beyond: 'the node fails with a sentence',
  reason: 'Two run at a time, one of a schema, on 256 MB each.',
});

const COMPILED = declareBudget({
  name: 'compiled JSON Schemas in memory, by the bytes of their texts',
  unit: 'bytes',
  owner: 'flow',
  share: 64_000,
  total: 4 * 1024 * 1024,
  beyond: 'compiled again',
  reason: 'A compiled schema takes some fifty times its text.',
});

const threads = new LimitedThreads<FormTask, string | undefined>({
  importMetaUrl: import.meta.url,
  name: 'schema-worker',
  ms: TIME.share,
  heapMb: 256,
  atOnce: 2,
  places: PLACES,
});

/** A schema with the cost of a check, and the compiled check if it is cheap. */
interface ReadSchema {
  readonly cost: number;
  check?: FormCheck;
}

const read = new LRUCache<string, ReadSchema>({
  maxSize: COMPILED.total,
  maxEntrySize: COMPILED.share,
  sizeCalculation: (_, text) => text.length,
});

/**
 * Returns why a value does not fit a schema. Schemas come from authors and other servers, so a check that may take more
 * than some milliseconds runs in a thread with a time limit, and exceeding the limit is a fault too. Throws `QuotaExceeded`
 * or 503 `overloaded` when too many of them wait.
 */
export async function formFault(value: Json, schema: Json): Promise<string | undefined> {
  const text = JSON.stringify(schema);
  const known = read.get(text) ?? { cost: schemaCost(schema) };
  read.set(text, known);
  if (known.cost > SCHEMAS.share || known.cost * valuesIn(value, STEPS.share) > STEPS.share)
    return inThread({ schema, value }, text);
  return (known.check ??= compileSchema(schema))(value);
}

async function inThread(task: FormTask, owner: string): Promise<string | undefined> {
  try {
    return await threads.run(task, owner);
  } catch (error) {
    if (error instanceof ThreadEnded) return TOO_COMPLEX;
    throw error;
  }
}

const TOO_COMPLEX = 'its schema takes too long to check: make it simpler';
