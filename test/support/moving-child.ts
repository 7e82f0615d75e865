import 'reflect-metadata';
import { WriteGate } from '../../src/database/writes/write-gate.js';
import { DiskStore } from '../../src/storage/disk-store.js';
import { moveInto } from './flowise.js';

/**
 * The moment at which an import is killed: in its nth transaction before the commit, right after it, or between its nth
 * file and the row of that file.
 */
export type KilledAt = 'before-commit' | 'after-commit' | 'after-file';

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

const own = <Of extends object, Name extends keyof Of>(of: Of, name: Name) =>
  Object.getOwnPropertyDescriptor(of, name)!.value as Of[Name];

function killAt(moment: KilledAt, nth: number): void {
  let count = 0;
  if (moment === 'after-file') {
    const put = own(DiskStore.prototype, 'put');
    DiskStore.prototype.put = async function (...given) {
      const blob = await put.apply(this, given);
      return ++count === nth ? die() : blob;
    };
    return;
  }
  const write = own(WriteGate.prototype, 'write');
  WriteGate.prototype.write = async function (work) {
    const isIt = ++count === nth;
    const value = await write.call(this, async (tx) => {
      const done = await work(tx);
      return isIt && moment === 'before-commit' ? die() : done;
    });
    return (isIt ? die() : value) as never;
  };
}

/**
 * `<database url> <data dir> <moment> <nth> <argument of the import> …`: an import that is killed. It ends with its own
 * exit code if it is too short for that.
 */
async function main([databaseUrl, dataDir, moment, nth, ...args]: string[]): Promise<void> {
  killAt(moment as KilledAt, Number(nth));
  const { code } = await moveInto({ databaseUrl: databaseUrl!, dataDir: dataDir! }, args);
  process.exit(code);
}

main(process.argv.slice(1)).catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});
