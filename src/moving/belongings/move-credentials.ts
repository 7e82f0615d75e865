import type { CredentialKind } from '../../api/credential-terms.js';
import type { Move } from '../target/move-target.js';
import type { ForeignCredential } from './read-credentials.js';

/** Moves what could be opened, under its own id. Answers every credential that a flow may name from now on, by its kind. */
export async function moveCredentials(
  { target, report, dryRun }: Move,
  credentials: readonly ForeignCredential[],
): Promise<Map<string, CredentialKind>> {
  const kinds = new Map<string, CredentialKind>();
  for (const { id, kind } of await target.credentials.list()) kinds.set(id, kind);
  for (const { id, name, kind, secret, ...dates } of credentials) {
    if (kinds.has(id)) {
      if (secret) report.here('credential');
      continue;
    }
    if (kind) kinds.set(id, kind);
    if (!secret) continue;
    const { createdAt = target.clock.now(), updatedAt = createdAt } = dates;
    const credential = { id, name, createdAt, updatedAt };
    if (!dryRun) await target.writes.after(() => target.credentials.adopt(credential, secret));
    report.came('credential');
  }
  return kinds;
}
