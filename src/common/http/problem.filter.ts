import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import { Logger } from '../logger.js';
import { ServiceError } from '../service-error.js';
import { type ErrorForm, ErrorForms } from './error-forms.js';

/** The refusal of a call, stored with the response for the execution log. */
export interface Problem {
  status: number;
  code: string;
  detail: string;
}

const problems = new WeakMap<object, Problem>();

/** Returns the problem that this response carries, if any. */
export const problemOf = (response: object): Problem | undefined => problems.get(response);

const codeOfStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  503: 'shutting_down',
};

/**
 * The only place that turns an error into HTTP: `application/problem+json` (RFC 9457) with the members that existing
 * clients read, the bare sentence for callers that accept only text (contract section 1), or the form of another protocol
 * below its paths (`error-forms.ts`).
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly forms: ErrorForms,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Answers with an error; also for middleware outside Nest's request pipeline. */
  answer(thrown: unknown, request: Request, response: Response): void {
    const error = this.toServiceError(thrown, request);
    problems.set(response, { status: error.status, code: error.code, detail: error.message });
    if (response.headersSent || response.destroyed) {
      response.end();
      return;
    }
    response.status(error.status);
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const form = this.forms.formFor(request);
    if (form) answerIn(form, error, response);
    else if (prefersText(request)) response.type('text/plain').send(error.message);
    else
      response.setHeader('Content-Type', problemType(request)).send(JSON.stringify(bodyOf(error, response)));
  }

  private toServiceError(thrown: unknown, request: Request): ServiceError {
    if (thrown instanceof ServiceError) {
      // A flow that is switched off is as its owner wants it.
      if (thrown.status >= 500 && thrown.code !== 'flow_disabled')
        this.logger.warn({ err: thrown, code: thrown.code, path: request.path }, 'a call failed');
      return thrown;
    }
    if (thrown instanceof URIError) return notFound();
    if (thrown instanceof HttpException) return fromHttpException(thrown, request);
    this.logger.error({ err: thrown, method: request.method, path: request.path }, 'unexpected error');
    return new ServiceError(
      'internal_error',
      'The service failed unexpectedly. Try again; if it fails again, report the execution id.',
    );
  }
}

const notFound = () => new ServiceError('not_found', 'There is nothing at this address. Check the path.');

function fromHttpException(exception: HttpException, request: Request): ServiceError {
  const status = exception.getStatus();
  if (status === 404) return nothingHere(request);
  return new ServiceError({ status, code: codeOfStatus[status] ?? 'internal_error' }, exception.message);
}

/** Returns 405 with `Allow` if the path exists for other methods, else 404. */
function nothingHere(request: Request): ServiceError {
  const allowed = allowedMethods(request);
  if (allowed.length === 0 || allowed.includes(request.method)) return notFound();
  const detail = `This address does not accept ${request.method}. Use ${allowed.join(' or ')}.`;
  return new ServiceError('method_not_allowed', detail, { headers: { Allow: allowed.join(', ') } });
}

const bodyOf = (error: ServiceError, response: Response): Record<string, unknown> =>
  problemBodyOf(error, executionIdOf(response));

function executionIdOf(response: Response): string | undefined {
  const executionId = response.getHeader('X-Execution-Id');
  return executionId === undefined ? undefined : String(executionId);
}

function answerIn(form: ErrorForm, error: ServiceError, response: Response): void {
  const executionId = executionIdOf(response);
  const headers = form.headers(error, executionId);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response
    .setHeader('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify(form.body(error, executionId)));
}

/** Returns the members of `application/problem+json` (contract section 1). */
export function problemBodyOf(error: ServiceError, executionId: string | undefined): Record<string, unknown> {
  return {
    ...problemBody(error),
    ...(executionId === undefined ? {} : { executionId }),
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...error.members,
  };
}

/** Returns the members that every problem has (contract section 1). */
export const problemBody = (error: ServiceError) => ({
  type: 'about:blank',
  title: STATUS_CODES[error.status] ?? 'Error',
  status: error.status,
  code: error.code,
  detail: error.message,
  message: error.message,
});

/**
 * Returns the content type of a problem. The chat widget reads JSON only if the type contains `application/json`, and shows
 * the whole body to people otherwise, so pages that accept anything get it as a parameter (contract section 1).
 */
function problemType({ headers }: Request): string {
  const isPage = headers.origin !== undefined && (headers.accept ?? '*/*') === '*/*';
  return `application/problem+json; charset=utf-8${isPage ? '; like="application/json"' : ''}`;
}

/** Types of callers that show the body as it is: the chat widget names the first alone, plain-text callers the second. */
const TEXT_TYPES: readonly string[] = ['text/event-stream', 'text/plain'];

/** Returns whether `Accept` names text types and nothing else. */
function prefersText(request: Request): boolean {
  const ranges = (request.headers.accept ?? '').toLowerCase().split(',');
  return ranges.every((range) => TEXT_TYPES.includes(range.split(';', 1)[0]!.trim()));
}

/** A layer of Express's router with the methods of its route. */
interface RouterLayer {
  route?: { methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Returns the methods, in upper case, that the request's path has; empty when there is no such path. */
function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: RouterLayer[] } }).router;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  methods.delete('_ALL');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
