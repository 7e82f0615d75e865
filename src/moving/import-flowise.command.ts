import 'reflect-metadata';
import { AppConfig, ConfigError } from '../common/app-config.js';
import { importFlowise } from './import-flowise.js';

/** The end of a command whose service cannot be found is that of one with wrong arguments: nothing was written. */
async function run(): Promise<void> {
  process.exitCode = await importFlowise(process.argv.slice(2), AppConfig.fromProcess(), {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}

run().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.faults.join('; ') : (error as Error).message;
  process.stderr.write(`Nothing could be moved: ${reason}\n`);
  process.exitCode = 2;
});
