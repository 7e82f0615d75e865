import type { NestExpressApplication } from '@nestjs/platform-express';
import { openAiError } from '../../api/openai.js';
import { problem } from '../../api/problem.js';
import type { AnsweredCode } from '../../api/problems.js';
import { responseHeaders, type ResponseHeader } from '../../api/response-headers.js';
import { headers, parameterExamples, type RouteNote } from '../../api/route-note.js';
import { warning } from '../../api/warnings.js';
import { RouteTable } from '../../common/http/route-table.js';
import { metaSchema } from '../../inspection/report/meta-schema.js';
import { eventLines, jsonSchemaOf, queryParameters, requestBody } from './json-schemas.js';
import { problemResponses } from './problem-responses.js';
import { readRoutes, type Route } from './read-routes.js';

/** The tags that come first; the others follow in the order of their routes. */
const FIRST_TAGS = ['prediction', 'inspection', 'reports', 'chat clients', 'flows', 'executions'];

const KEY_NOTE = 'The key of the flow, where it has one.';

/**
 * Describes the API as an OpenAPI 3.1 document. Paths, parameters, access and the schemas of bodies and queries are read from the
 * application itself; `@Documented` beside a route adds what its code cannot say.
 */
export function describeApi(app: NestExpressApplication): object {
  // Routes of /internal/ are for the service's own processes.
  const routes = readRoutes(app.get(RouteTable)).filter(({ path }) => !path.startsWith('/internal/'));
  const paths: Record<string, Record<string, object>> = {};
  const schemas: Record<string, object> = {};
  for (const named of [problem, openAiError, warning]) jsonSchemaOf(named, schemas);
  for (const route of routes.sort((one, other) => (one.path < other.path ? -1 : 1)))
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  schemas['ReportDetails'] = metaSchema;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Flow predictions and inspection reports',
      version: '1',
      description:
        'Runs flows over HTTP and turns the photographs sent in their chats into property inspection reports. Every error has one shape, `Problem` (for OpenAI’s clients `OpenAiError`); programs decide by its `code`. Every answer to a run, a capture or a render carries `X-Execution-Id`.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...FIRST_TAGS, ...routes.map(tagOf)])].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      headers: responseHeaders,
      securitySchemes: {
        flowKey: { type: 'http', scheme: 'bearer', description: KEY_NOTE },
        adminKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The admin key: `ADMIN_API_KEY`, or the file `admin-key` in `SECRETS_DIR` (else `DATA_DIR`).',
        },
      },
    },
  };
}

function operationOf(route: Route, schemas: Record<string, object>): object {
  const { note } = route;
  const body =
    route.method === 'GET' || route.method === 'DELETE' ? undefined : requestBody(note?.body, route.body);
  const parameters = [
    ...route.parameters.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      ...(name in parameterExamples ? { example: parameterExamples[name] } : {}),
    })),
    ...queryParameters(route.query, note?.query),
    ...(note?.headers ?? []).map((name) => ({ name, ...headers[name] })),
  ];
  return {
    operationId: operationIdOf(route),
    summary: note?.summary ?? route.name,
    ...(note?.description ? { description: note.description } : {}),
    tags: [tagOf(route)],
    security: securityOf(route, note),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      ...successOf(route, note, schemas),
      ...problemResponses(codesOf(route, note, body !== undefined), route.errorForm, (status, codes) =>
        answerHeaders(route, note, status, codes),
      ),
    },
  };
}

function successOf(
  route: Route,
  note: RouteNote | undefined,
  schemas: Record<string, object>,
): Record<string, object> {
  const answers = note?.answers ?? { [route.httpStatus]: { description: 'Success.' } };
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, content }]) => [
      status,
      {
        description,
        ...answerHeaders(route, note, status),
        ...(content
          ? {
              content: Object.fromEntries(
                Object.entries(content).map(([type, schema]) => [
                  type,
                  {
                    schema:
                      type === 'text/event-stream'
                        ? eventLines(schema, schemas)
                        : jsonSchemaOf(schema, schemas),
                  },
                ]),
              ),
            }
          : {}),
      },
    ]),
  );
}

/** Lists the ways to authenticate. An empty requirement admits a call without a key. */
function securityOf({ access, flowAccess }: Route, note: RouteNote | undefined): object[] {
  if (access === 'admin') return [{ adminKey: [] }];
  if (note?.access === 'admin-or-flow') return [{ adminKey: [] }, { flowKey: [] }];
  if (note?.access === 'any-key') return [{}, { flowKey: [] }];
  if (note?.access === 'signed-or-flow' || note?.access === 'own-session')
    return [{}, { flowKey: [] }, { adminKey: [] }];
  return access === 'none' || flowAccess?.key === false ? [{}] : [{}, { flowKey: [] }];
}

function codesOf(
  { access, flowAccess, query }: Route,
  note: RouteNote | undefined,
  hasBody: boolean,
): AnsweredCode[] {
  const flow: AnsweredCode[] = flowAccess?.flowIdIn === 'query' ? [] : ['flow_not_found'];
  const codes: readonly (AnsweredCode | false)[] = [
    access === 'admin' && 'invalid_admin_key',
    ...(note?.access && note.access !== 'any-key'
      ? (['invalid_api_key', 'domain_not_allowed'] as const)
      : []),
    note?.access === 'own-session' && 'address_blocked',
    ...(flowAccess ? (['address_blocked', ...flow, 'share_link_not_public'] as const) : []),
    flowAccess !== undefined && flowAccess.domain !== false && 'domain_not_allowed',
    flowAccess !== undefined && flowAccess.key !== false && 'invalid_api_key',
    flowAccess !== undefined && flowAccess.disabledToo !== true && 'flow_disabled',
    flowAccess !== undefined && flowAccess.rateLimit !== false && 'rate_limited',
    (query !== undefined || hasBody) && 'invalid_request',
    ...(hasBody ? BODY_CODES : []),
    ...(note?.errors ?? []),
  ];
  return codes.filter((code) => code !== false);
}

const BODY_CODES = [
  ...([
    'json_too_deep',
    'invalid_encoding',
    'body_too_large',
    'body_too_complex',
    'request_timeout',
  ] as const),
  'unsupported_media_type',
] as const satisfies readonly AnsweredCode[];

/** Returns the tag for the first telling part of the path. */
function tagOf({ path }: Route): string {
  const [first = '', second = '', third = ''] = path.split('/').slice(1);
  const room = first === 'api' && second === 'v1' ? third : 'operation';
  return tags[room] ?? room;
}

const tags: Readonly<Record<string, string>> = {
  'chatflows-streaming': 'chat clients',
  'public-chatbotConfig': 'chat clients',
  chatmessage: 'chat clients',
  feedback: 'chat clients',
  leads: 'chat clients',
  attachments: 'chat clients',
  'get-upload-file': 'chat clients',
  pdf: 'reports',
  assets: 'reports',
};

const operationIdOf = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split('/').filter((part) => part !== '' && part !== 'api' && part !== 'v1')]
    .map((part) => part.replaceAll(/[{}]/g, '').replaceAll('-', '_'))
    .join('_');

const RATE_LIMIT: readonly ResponseHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const OTHER_ERRORS: readonly ResponseHeader[] = ['X-Request-Id', 'X-Should-Retry'];

/** Codes whose answers have `Retry-After`. */
const RETRIED: ReadonlySet<AnsweredCode> = new Set([
  'rate_limited',
  'address_blocked',
  'overloaded',
  'shutting_down',
  'idempotency_key_in_use',
  'session_busy',
  'quota_exceeded',
]);

/** Describes the headers of a route's answers with this status; `codes` are the errors with it. */
function answerHeaders(
  route: Route,
  note: RouteNote | undefined,
  status: string,
  codes: readonly AnsweredCode[] = [],
): object {
  const replayed = note?.headers?.includes('Idempotency-Key') === true;
  const limited =
    (route.flowAccess !== undefined && route.flowAccess.rateLimit !== false) ||
    note?.errors?.includes('rate_limited') === true;
  const success = codes.length === 0;
  const names: ResponseHeader[] = [
    ...(route.isRecorded ? (['X-Execution-Id'] as const) : []),
    ...(codes.some((code) => RETRIED.has(code)) ? (['Retry-After'] as const) : []),
    ...(replayed && (success || codes.includes('flow_failed')) ? (['Idempotent-Replay'] as const) : []),
    ...(limited && (success || status === '429') ? RATE_LIMIT : []),
    ...(route.errorForm && !success ? OTHER_ERRORS : []),
    ...(note?.answers?.[status]?.headers ?? []),
  ];
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}
