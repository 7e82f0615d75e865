import 'reflect-metadata';
import { AppConfig, ConfigError } from '../common/app-config.js';
import { importFlowise } from './import-flowise.js';

/** Exits with 2, as for wrong arguments, if the configuration of the service is wrong: nothing was written. */
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
