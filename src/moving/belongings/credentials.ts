import type { CredentialKind } from '../../api/credential-terms.js';
import { newCredential, type Secret } from '../../flows/credentials/credential.js';
import type { Json } from '../../flows/engine/json.js';
import type { Members } from '../../flows/import/rows/members.js';
import { columnInstant, columnText } from '../../flows/import/rows/row-values.js';
import type { MoveReport } from '../report/move-report.js';
import { WrongInput, type MoveSource } from '../source/move-source.js';
import type { Move } from '../target/move-target.js';
import { isEncrypted, type Passphrase } from './passphrase.js';

/** A credential of the other side; `secret` if it could be decrypted and converted. */
export interface ForeignCredential {
  id: string;
  name: string;
  /** The kind that it has here, or will have once it is moved. */
  kind: CredentialKind | undefined;
  secret: Secret | undefined;
  createdAt: number | undefined;
  updatedAt: number | undefined;
}

/**
 * Reads and decrypts the credentials of the other side, and reports those that cannot be moved. Throws `WrongInput` if the
 * passphrase decrypts none of those that are encrypted by one.
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
    if (!passphrase) report.left('credential', 'it needs --key to be decrypted; run again with --key', name);
    else if (!converted) report.left('credential', 'it cannot be decrypted with this key', name);
    else if ('why' in converted) report.left('credential', converted.why, name);
    else if (converted.lost.length > 0)
      report.left('setting', `the credential's ${converted.lost.join(', ')} has no place here`, name);
    const secret = converted && 'secret' in converted ? converted.secret : undefined;
    found.push({ ...credential, ...(data ? { kind: secret?.kind } : {}), secret });
  }
  if (passphrase && openable > 0 && opened === 0)
    throw new WrongInput(
      'The key is not that of this database: it decrypts none of its credentials. Name the file encryption.key of this Flowise, or set FLOWISE_SECRETKEY_OVERWRITE as it was set there. Nothing was written.',
    );
  return found;
}

/** Moves the decrypted credentials under their ids. Returns the kinds of all credentials that a moved flow may name. */
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

/** A converted secret with the names of the members that were lost, or the reason why there is none. */
type Converted = { secret: Secret; lost: string[] } | { why: string };

/** Converters of the kinds of credentials whose secret is not one key. */
const OTHERS: Readonly<Record<string, (data: Members) => unknown>> = {
  httpBasicAuth: (data) => ({
    kind: 'basic',
    data: { username: data['basicAuthUsername'], password: data['basicAuthPassword'] },
  }),
  httpBearerToken: (data) => ({ kind: 'api-key', data: { apiKey: trimmed(data['token']) } }),
  httpApiKey: (data) => ({
    kind: 'header',
    data: { name: trimmed(data['key']), value: trimmed(data['value']) },
  }),
};

/** Returns the kind that a credential will have here, by its name there; undefined if the name does not say. */
function kindByName(credentialName: string): Secret['kind'] | undefined {
  if (credentialName === 'httpBasicAuth') return 'basic';
  if (credentialName === 'httpApiKey') return 'header';
  return /api$|generativeai$|^httpBearerToken$/i.test(credentialName) ? 'api-key' : undefined;
}

/** Converts the secret of a credential, for a model or an `http` node (contract section 8). */
export function secretIn(credentialName: string, data: Members): Converted {
  const other = OTHERS[credentialName];
  const texts = Object.entries(data).filter(([, value]) => isText(value));
  const keys = texts.filter(([name]) => /api_?key$/i.test(name));
  const [key] = keys.length > 0 ? keys : texts;
  const isOne = keys.length === 1 || (keys.length === 0 && texts.length === 1);
  if (!other && (!isOne || !key))
    return {
      why: `it holds ${texts.map(([name]) => name.slice(0, 60)).join(', ') || 'nothing'}; a credential here is one key, a name and a password, or a header`,
    };
  const made = other?.(data) ?? { kind: 'api-key', data: { apiKey: trimmed(key![1]) } };
  const parsed = newCredential.safeParse({ name: 'x', ...made });
  if (!parsed.success) return { why: 'its secret cannot be sent in a header' };
  const { name: _, ...secret } = parsed.data;
  const stored = new Set(Object.values(secret.data as Record<string, string>));
  const lost = texts
    .filter(([, value]) => ![value, trimmed(value)].some((text) => stored.has(text as string)))
    .map(([name]) => name.slice(0, 60));
  return { secret, lost };
}

const isText = (value: Json): boolean => typeof value === 'string' && value !== '';

/** Removes blanks around a text that is sent in a header, which HTTP ignores and a paste often leaves. */
const trimmed = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? value.trim() : value;
