import 'reflect-metadata';
import { AppConfig } from '../../common/app-config.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { connectionsOf } from '../../database/open/data-source.js';
import { openExisting } from '../../database/open/open-existing.js';
import { auditLedger, auditReport } from './ledger-audit.js';

/**
 * `npm run ledger:audit [-- --records-kept]`: audits the database of the environment, with or without a running
 * service, and prints the drift. Exits with 1 if there is any.
 */
async function run(): Promise<void> {
  const recordsKept = process.argv.includes('--records-kept');
  const dataSource = await openExisting(AppConfig.fromProcess().databaseUrl);
  try {
    const audit = await auditLedger(new DatabaseReader(connectionsOf(dataSource)), { recordsKept });
    process.stdout.write(auditReport(audit));
    if (audit.drift > 0) process.exitCode = 1;
  } finally {
    await dataSource.destroy();
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`The ledger could not be audited: ${(error as Error).message}\n`);
  process.exitCode = 2;
});
