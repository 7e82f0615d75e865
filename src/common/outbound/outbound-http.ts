import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { lookup } from 'node:dns/promises';
import type { LookupFunction, Socket } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { AppConfig } from '../app-config.js';
import { ServiceError } from '../service-error.js';
import { timeLimit } from '../time-limit.js';
import {
  allowedTargets,
  bareHost,
  hostAndPort,
  isAddressLiteral,
  isPublicAddress,
  isPublicPeer,
  loginHeader,
} from './outbound-address.js';
import { type Hop, hopHeaders, nextHop } from './outbound-redirect.js';
import {
  FetchFailed,
  FetchRefused,
  type OutboundResponse,
  type OutboundStream,
  readResponse,
  statusOf,
  streamOf,
} from './outbound-response.js';

/** One request to another service. */
export interface OutboundRequest {
  url: string;
  /** GET when absent. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** A larger answer is `fetch_failed`. */
  maxBytes: number;
  /** An answer of a JSON type with more values is `fetch_failed`. */
  maxValues?: number;
  /** For the whole request with redirects and body; 30 s when absent. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Applies the rules of a photograph's `url`: https only (unless `FETCH_ALLOW_HTTP`), with the `FETCH_HEADERS`. */
  media?: boolean;
  /** Returns the status of the first answer alone; does not follow redirects or read the body. */
  statusOnly?: boolean;
}

const MOST_REDIRECTS = 5;
/** Longer than any server accepts; parsing megabytes would hold up all other calls. */
const LONGEST_URL = 64 * 1024;

/**
 * The only outbound client for addresses from flows and callers (contract sections 5 and 9). Reaches public addresses, and
 * the private `host:port`s of `OUTBOUND_ALLOW`. Checks the address in the URL, every DNS answer and the connected peer;
 * each redirect is checked like a new request. Sends a name and password in the URL as `Basic`, unless the request has an
 * `Authorization` of its own.
 */
@Injectable()
export class OutboundHttp implements OnModuleDestroy {
  private readonly allowed: ReadonlySet<string>;
  private opening: Promise<Agent> | undefined;

  constructor(private readonly config: AppConfig) {
    this.allowed = allowedTargets(config.outboundAllow);
  }

  async onModuleDestroy(): Promise<void> {
    await (await this.opening)?.destroy();
  }

  /** Resolves to an answer of any status. Throws `FetchRefused`, `FetchFailed`, or the signal's reason. */
  request(request: OutboundRequest): Promise<OutboundResponse> {
    return this.bounded(request, async (signal) => {
      const { response, url } = await this.follow(request, signal);
      return request.statusOnly ? statusOf(response, url) : readResponse(response, url, request);
    });
  }

  /** Like `request`, but streams the body. The limits of size and time hold until its end. */
  open(request: OutboundRequest): Promise<OutboundStream> {
    return this.bounded(request, async (signal) => {
      const { response, url } = await this.follow(request, signal);
      return streamOf(response, url, request.maxBytes);
    });
  }

  private async bounded<Answer>(
    request: OutboundRequest,
    send: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const limit = timeLimit(request.timeoutMs ?? 30_000);
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
    try {
      return await send(signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof ServiceError) throw error;
      if (limit.aborted) throw new FetchFailed('The target did not answer in time.', error);
      throw refusalIn(error) ?? new FetchFailed(faultOf(error), error);
    }
  }

  /** Returns all addresses of a name. Tests override it. */
  protected async resolve(host: string): Promise<{ address: string; family: number }[]> {
    return lookup(host, { all: true });
  }

  private async follow(
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<{ response: Dispatcher.ResponseData; url: URL }> {
    const address = parseUrl(request.url);
    let hop: Hop = {
      url: address,
      method: (request.method ?? 'GET').toUpperCase(),
      headers: { ...loginHeader(address), ...hopHeaders(request.headers ?? {}) },
      body: request.body,
    };
    for (let redirects = 0; ; redirects++) {
      this.check(hop.url, request);
      const response = await this.send(hop, request, signal);
      if (request.statusOnly) return { response, url: hop.url };
      const next = nextHop(hop, response.statusCode, response.headers.location);
      if (!next) return { response, url: hop.url };
      await response.body.dump();
      if (redirects === MOST_REDIRECTS)
        throw new FetchFailed(`The target redirects more than ${MOST_REDIRECTS} times.`);
      hop = next;
    }
  }

  private check(url: URL, request: OutboundRequest): void {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new FetchRefused('Only http and https addresses can be fetched.');
    if (request.media && url.protocol !== 'https:' && !this.config.fetchAllowHttp)
      throw new FetchRefused('Only https addresses can be fetched. Send an https address.');
    const host = bareHost(url.hostname);
    if (isAddressLiteral(host) && !isPublicAddress(host) && !this.allowed.has(hostAndPort(url)))
      throw refused();
  }

  private async send(
    hop: Hop,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const agent = await (this.opening ??= this.openAgent());
    const headers = request.media ? { ...hop.headers, ...this.hostHeaders(hop.url) } : hop.headers;
    return agent.request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'flow-service', ...headers },
      ...(hop.body === undefined ? {} : { body: hop.body }),
      signal,
    });
  }

  /** Returns the `FETCH_HEADERS` of this host; credentials reach only the host that they are for. */
  private hostHeaders(url: URL): Readonly<Record<string, string>> {
    const headersFor = (name: string) =>
      Object.hasOwn(this.config.fetchHeaders, name) ? this.config.fetchHeaders[name] : undefined;
    const headers = headersFor(hostAndPort(url)) ?? headersFor(bareHost(url.hostname)) ?? {};
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  }

  private async openAgent(): Promise<Agent> {
    const undici = await import('undici');
    return new undici.Agent({
      connections: 64,
      keepAliveTimeout: 4_000,
      connect: (options, callback) => {
        this.connect(undici.buildConnector, options).then(
          (socket) => callback(null, socket as never),
          (error: unknown) => callback(error as Error, null),
        );
      },
    });
  }

  private async connect(build: typeof buildConnector, options: buildConnector.Options): Promise<Socket> {
    const host = bareHost(options.hostname);
    const port = options.port || (options.protocol === 'https:' ? '443' : '80');
    const anywhere = this.allowed.has(`${host}:${port}`);
    const literal = isAddressLiteral(host);
    const addresses = literal
      ? [{ address: host, family: host.includes(':') ? 6 : 4 }]
      : await this.resolve(host);
    if (!anywhere && !addresses.every(({ address }) => isPublicAddress(address))) throw refused();
    const answer: LookupFunction = (_name, { all }, done) => {
      if (all) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    };
    const socket = await new Promise<Socket>((resolve, reject) => {
      build({ timeout: 10_000, lookup: answer })({ ...options, hostname: host }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      );
    });
    if (anywhere || isPublicPeer(socket.remoteAddress)) return socket;
    socket.destroy();
    throw refused();
  }
}

const refused = () =>
  new FetchRefused(
    'The address is not public. A private target must be listed in OUTBOUND_ALLOW as host:port.',
  );

function parseUrl(text: string): URL {
  if (text.length > LONGEST_URL)
    throw new FetchRefused(`The address is longer than ${LONGEST_URL} characters. Send a shorter one.`);
  if (!URL.canParse(text)) throw new FetchRefused('The address is not a valid http or https address.');
  return new URL(text);
}

/** Finds the error that the connector threw: the client library wraps it. */
function refusalIn(error: unknown): ServiceError | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof ServiceError) return at;
  return undefined;
}

/** Codes of requests that the client refuses to send; all are about a header, which the message names. */
const UNSENDABLE: ReadonlySet<string> = new Set([
  ...['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'],
]);

function faultOf(error: unknown): string {
  const { code, message }: Partial<NodeJS.ErrnoException> =
    error instanceof Error ? error : { message: String(error) };
  return code !== undefined && UNSENDABLE.has(code)
    ? `The request cannot be sent: ${message}. Remove or correct the header; a value is one line of Latin-1 characters.`
    : `The target could not be reached: ${code ?? message}.`;
}
