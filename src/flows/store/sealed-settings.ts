import { MASK } from '../../common/masking/secret-mask.js';
import { isSecretMember, isSecretParameter } from '../../common/masking/secret-names.js';
import { holdsSecretValue } from '../../common/masking/secret-values.js';
import { seal } from '../../common/secrets/sealed-text.js';
import { isJsonObject, type Json } from '../engine/json.js';
import { shownPlaces } from '../http/http-secrets.js';

type Members = Record<string, Json>;

/** Replaces a secret in a stored flow; encrypted with the credentials key. */
type Sealed = { sealed: string };

/** Replaces a secret; `path` is its place in the flow by ids of nodes, not by their order. */
type Replace = (secret: Json, path: string) => Json;

/** A definition, or a draft whose nodes may have any form. */
interface Nodes {
  nodes?: unknown;
}

/**
 * Encrypts the secrets in the settings of placeholders for storage (contract section 9). A masked secret, as flows are
 * shown, keeps the encrypted one at this place in the first stored text of `before` that has one.
 */
export function withSealedSettings<Definition extends Nodes>(
  definition: Definition,
  { key, flowId, before = [] }: { key: Buffer; flowId: string; before?: readonly string[] | undefined },
): Definition {
  if (!holdsMissing(definition)) return definition;
  const sealedBefore = new Map<string, Json>();
  for (const text of before.toReversed())
    replaced(JSON.parse(text) as Nodes, (sealed, path) => (sealedBefore.set(path, sealed), sealed));
  return replaced(definition, (secret, path) =>
    secret === MASK
      ? (sealedBefore.get(path) ?? MASK)
      : ({ sealed: seal(key, JSON.stringify(secret), `settings of ${flowId}`) } satisfies Sealed),
  );
}

/** Returns the flow with these secrets masked. */
export const withMaskedSettings = <Definition extends Nodes>(definition: Definition): Definition =>
  replaced(definition, () => MASK);

/** Returns whether a definition has placeholders, which most do not. */
const holdsMissing = ({ nodes }: Nodes): boolean =>
  Array.isArray(nodes) &&
  (nodes as Json[]).some(
    (node) => isJsonObject(node) && (node['kind'] === 'missing' || holdsMissingTool(node['config'] ?? null)),
  );

function replaced<Definition extends Nodes>(definition: Definition, replace: Replace): Definition {
  if (!holdsMissing(definition)) return definition;
  const nodes = (definition.nodes as Json[]).map((node) => {
    if (!isJsonObject(node) || !isJsonObject(node['config'] ?? null)) return node;
    const { id, kind } = node;
    const config = node['config'] as Members;
    const name = typeof id === 'string' ? id : '';
    return {
      ...node,
      config:
        kind === 'missing'
          ? withSettings(config, `${name}.settings`, replace)
          : inTools(config, name, replace),
    };
  });
  return { ...definition, nodes };
}

const withSettings = (holder: Members, path: string, replace: Replace): Members =>
  mapMembers(holder, (value, name) => (name === 'settings' ? inSettings(value, path, replace) : value));

/** Finds missing tools anywhere in a config. The recursion is bounded by the depth of JSON from outside. */
function inTools(value: Json, path: string, replace: Replace): Json {
  if (Array.isArray(value)) return value.map((item, index) => inTools(item, `${path}.${index}`, replace));
  if (!isJsonObject(value)) return value;
  if (value['tool'] === 'missing') return withSettings(value, `${path}.settings`, replace);
  return mapMembers(value, (member, name) => inTools(member, `${path}.${name}`, replace));
}

const holdsMissingTool = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((isJsonObject(value) && value['tool'] === 'missing') || Object.values(value).some(holdsMissingTool));

function inSettings(value: Json, path: string, replace: Replace): Json {
  if (isSecretText(value) || isSealed(value)) return replace(value, path);
  if (Array.isArray(value)) return value.map((item, index) => inSettings(item, `${path}.${index}`, replace));
  if (!isJsonObject(value)) return value;
  const named = value['key'] ?? value['name'];
  const secretRow = typeof named === 'string' && isSecretParameter(named);
  return mapMembers(value, (member, name) => {
    const secret = isSecretMember(name) || (secretRow && name === 'value');
    const place = `${path}.${name}`;
    return secret && isSomething(member) ? replace(member, place) : inSettings(member, place, replace);
  });
}

const isSecretText = (value: Json): boolean =>
  typeof value === 'string' &&
  (value === MASK || holdsSecretValue(value) || shownPlaces({ url: value })['url'] !== value);

const isSealed = (value: Json): boolean =>
  isJsonObject(value) && Object.keys(value).length === 1 && typeof value['sealed'] === 'string';

const isSomething = (value: Json): boolean => value !== null && value !== '' && typeof value !== 'boolean';

/** Maps own members, whatever their name. */
const mapMembers = (members: Members, change: (value: Json, name: string) => Json): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value, name)]));
