import type { AppConfig } from './common/app-config.js';
import { ConnectionLost } from './database/away.js';
import { databaseFault } from './start-faults.js';

describe('what is said of a database server that cannot be reached', () => {
  it.each([
    ['postgres://user@db.example:5433/records', 'records at db.example:5433'],
    ['postgres:///records?host=/var/run/postgresql', 'records at /var/run/postgresql'],
    ['postgres://%2Frun%2Fpg/records', 'records at /run/pg'],
    ['postgres:///records', 'records at this machine'],
  ])('names the place of %s', (databaseUrl, named) => {
    const fault = databaseFault({ databaseUrl } as AppConfig, new ConnectionLost(new Error('refused')));
    expect(fault?.message).toContain(`the database ${named} cannot be opened (refused).`);
  });
});
