import type { CredentialKind } from '../../api/credential-terms.js';
import type { Secret } from '../../flows/credentials/credential.js';
import { columnInstant, columnText } from '../../flows/import/rows/row-values.js';
import type { MoveReport } from '../report/move-report.js';
import { type MoveSource, WrongInput } from '../source/move-source.js';
import { kindByName, secretIn } from './credential-secret.js';
import { isEncrypted, type Passphrase } from './passphrase.js';

/** A credential of the other side; `secret` where it could be opened and has a place here. */
export interface ForeignCredential {
  id: string;
  name: string;
  /** The kind that it has here, or would have once it comes. */
  kind: CredentialKind | undefined;
  secret: Secret | undefined;
  createdAt: number | undefined;
  updatedAt: number | undefined;
}

/**
 * The credentials of the other side, opened; what cannot come is told. Throws `WrongInput` where the passphrase opens none
 * of those that one could open.
 */
export async function readCredentials(
  source: MoveSource,
  passphrase: Passphrase | undefined,
  report: MoveReport,
): Promise<ForeignCredential[]> {
  const found: ForeignCredential[] = [];
  let [openable, opened] = [0, 0];
  for await (const row of source.rows('credential')) {
    const id = columnText(row['id']);
    if (id === undefined) continue;
    const credentialName = columnText(row['credentialName']) ?? '';
    const name = columnText(row['name'])?.trim().slice(0, 200).toWellFormed() || credentialName || id;
    const dates = {
      createdAt: columnInstant(row['createdDate']),
      updatedAt: columnInstant(row['updatedDate']),
    };
    const credential = { id, name, kind: kindByName(credentialName), secret: undefined, ...dates };
    if (!isEncrypted(row['encryptedData'])) {
      report.left('credential', 'its secret is not in the database', name);
      continue;
    }
    openable++;
    const data = passphrase?.open(columnText(row['encryptedData'])!);
    if (data) opened++;
    const converted = data && secretIn(credentialName, data);
    if (!passphrase) report.left('credential', 'no --key was given to open it; give it and run again', name);
    else if (!converted) report.left('credential', 'it cannot be opened with this key', name);
    else if ('why' in converted) report.left('credential', converted.why, name);
    else if (converted.lost.length > 0)
      report.left('setting', `of the credential, ${converted.lost.join(', ')} has no place here`, name);
    const secret = converted && 'secret' in converted ? converted.secret : undefined;
    found.push({ ...credential, ...(data ? { kind: secret?.kind } : {}), secret });
  }
  if (passphrase && openable > 0 && opened === 0)
    throw new WrongInput(
      'The key is not that of this database: it opens none of its credentials. Name the file encryption.key of this Flowise, or set FLOWISE_SECRETKEY_OVERWRITE as it was set there. Nothing was written.',
    );
  return found;
}
