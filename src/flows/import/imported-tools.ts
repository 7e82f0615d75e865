import { parseJson } from '../../common/json/json-text.js';
import { isJsonObject, type Json } from '../engine/json.js';
import type { Imported } from './imported-node.js';
import type { ImportedReferences } from './texts/imported-references.js';
import { isEmpty, readObject, templateOf, templatesIn, wordOf } from './texts/imported-texts.js';

type Config = Record<string, Json>;

/** The HTTP methods of request tools. */
const REQUESTS = new Map([
  ['requestsGet', 'GET'],
  ['requestsPost', 'POST'],
  ['requestsPut', 'PUT'],
  ['requestsDelete', 'DELETE'],
]);

/** Converts a tool. One without a counterpart becomes a missing tool with its settings. */
export function importedTool(
  original: string,
  given: Config,
  node: Pick<Imported, 'references' | 'warn' | 'dependencies'>,
): Config {
  if (original === 'currentDateTime') return { tool: 'date-time' };
  if (original === 'webScraperTool') {
    if (given['scrapeMode'] === 'recursive')
      node.warn('not_carried_over', 'its web scraper followed links; here a call reads one page');
    return { tool: 'web-page', ...described(given['description']) };
  }
  if (original === 'customMCP') {
    const server = mcpServer(given, node);
    if (server) return server;
  }
  if (original === 'customTool') {
    const tool = customTool(given, node.dependencies);
    if (tool) return tool;
  }
  const method = REQUESTS.get(original);
  const request = method === undefined ? undefined : requestTool(original, method, given, node);
  if (request) return request;
  node.warn(
    'tool_missing',
    `the tool "${original.slice(0, 100)}" has no counterpart here; it is stored with its settings and not offered to the model`,
  );
  return {
    tool: 'missing',
    original: original.slice(0, 500),
    ...(isEmpty(given) ? {} : { settings: given }),
  };
}

/** Converts an MCP server that is reached over HTTP; undefined for one that is started as a program. */
function mcpServer(
  { mcpServerConfig, mcpActions }: Config,
  { references }: Pick<Imported, 'references'>,
): Config | undefined {
  const { url, headers } = isJsonObject(mcpServerConfig)
    ? mcpServerConfig
    : (readObject(wordOf(mcpServerConfig)) ?? {});
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const listed = Array.isArray(mcpActions) ? mcpActions : readList(wordOf(mcpActions));
  const allow = listed.filter((name) => typeof name === 'string');
  return {
    tool: 'mcp',
    url: templateOf(url, references),
    ...(isJsonObject(headers) ? { headers: templatesIn(headers, references) } : {}),
    ...(allow.length > 0 ? { allow } : {}),
  };
}

/** Converts a request tool, whose settings begin with its name: `requestsGetUrl`. Undefined when it has no address. */
function requestTool(
  original: string,
  method: string,
  given: Config,
  { references }: Pick<Imported, 'references'>,
): Config | undefined {
  const setting = (name: string): string | undefined =>
    wordOf(given[`${original}${name}`]) ?? wordOf(given[`${original.replace('requests', 'request')}${name}`]);
  const url = setting('Url');
  if (url === undefined) return undefined;
  const parameters = [...membersOf(setting('QueryParamsSchema')), ...membersOf(setting('BodySchema'))];
  const inBody = membersOf(setting('BodySchema')).map(([name]) => name);
  const inPath = parameters.flatMap(([name, { in: place }]) => (place === 'path' ? [name] : []));
  const inQuery = parameters.flatMap(([name]) =>
    inBody.includes(name) || inPath.includes(name) ? [] : [name],
  );
  const name = toolName(setting('Name'));
  const required = parameters.flatMap(([name, { required }]) => (required === true ? [name] : []));
  return {
    tool: 'http',
    ...(name === undefined ? {} : { name }),
    ...described(setting('Description')),
    method,
    url: withPath(templateOf(url, references).trim(), inPath),
    ...objectAs('headers', setting('Headers'), references),
    ...(inQuery.length > 0 ? { query: argumentsOf(inQuery) } : {}),
    ...(inBody.length > 0
      ? { body: argumentsOf(inBody), bodyType: 'json' }
      : objectAs('body', setting('Body'), references)),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map(([name, member]) => [name, propertyOf(member)])),
      ...(required.length > 0 ? { required } : {}),
    },
  };
}

/** Converts a custom tool from its store or its settings; undefined when its code needs names that are not available here. */
function customTool(given: Config, { tools }: Imported['dependencies']): Config | undefined {
  const tool = tools.get(wordOf(given['selectedTool']) ?? wordOf(given['customTool']) ?? '');
  const code = tool?.code ?? wordOf(given['customToolFunc']);
  if (code === undefined || foreignNames(code).length > 0) return undefined;
  const name = toolName(tool?.name ?? wordOf(given['customToolName']));
  return {
    tool: 'function',
    ...(name === undefined ? {} : { name }),
    ...described(tool?.description ?? given['customToolDesc']),
    parameters: tool?.parameters ?? { type: 'object', properties: {} },
    code,
  };
}

/** Returns the names in code that functions here do not have. */
export const foreignNames = (code: string): string[] => [
  ...new Set(code.match(/\b(?:require|import|fetch|process)\b(?=\s*[(.])/g)),
];

const toolName = (text: string | undefined): string | undefined =>
  text?.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

function described(text: Json | undefined): Config {
  const word = wordOf(text);
  return word === undefined ? {} : { description: word.slice(0, 4_000) };
}

const argumentsOf = (names: readonly string[]): Config =>
  Object.fromEntries(names.map((name) => [name, `{{$args.${name}}}`]));

/** Inserts path arguments at `/:id` in the address, else appends them. */
const withPath = (url: string, names: readonly string[]): string =>
  names.reduce(
    (address, name) =>
      address.includes(`/:${name}`)
        ? address.replace(`/:${name}`, () => `/{{$args.${name}}}`)
        : `${address}/{{$args.${name}}}`,
    url,
  );

const propertyOf = ({ type, description }: Config): Config => ({
  ...(['string', 'number', 'boolean', 'integer', 'object', 'array'].includes(wordOf(type) ?? '')
    ? { type: type! }
    : {}),
  ...(wordOf(description) === undefined ? {} : { description: description! }),
});

const objectAs = (name: string, text: string | undefined, references: ImportedReferences): Config => {
  const value = readObject(text);
  return value === undefined ? {} : { [name]: templatesIn(value, references) };
};

const membersOf = (text: string | undefined): [string, Config][] =>
  Object.entries(readObject(text) ?? {}).flatMap(([name, member]): [string, Config][] =>
    isJsonObject(member) ? [[name, member]] : [],
  );

function readList(text: string | undefined): Json[] {
  try {
    const value = text === undefined ? [] : (parseJson(text) as Json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
