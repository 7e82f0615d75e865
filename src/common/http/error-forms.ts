import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { ServiceError } from '../service-error.js';
import { RouteTable } from './route-table.js';

/** Errors as the clients of some protocol read them, where that is not `application/problem+json`. */
export interface ErrorForm {
  /** JSON. */
  body(error: ServiceError, executionId: string | undefined): unknown;
  /** Beside those of the error itself. */
  headers(error: ServiceError, executionId: string | undefined): Readonly<Record<string, string>>;
}

/**
 * Said of a controller: errors below its path have this form, those too that are answered before a route is reached, or
 * because there is none (contract section 12).
 */
export const ErrorsAs = Reflector.createDecorator<ErrorForm>();

/** The forms of errors, by the path that was called. */
@Injectable()
export class ErrorForms {
  private readonly forms: ReadonlyMap<string, ErrorForm>;

  constructor(table: RouteTable) {
    this.forms = new Map(
      table.withDecorator(ErrorsAs).map(({ route, value: value }) => [`${route.prefix}/`, value]),
    );
  }

  /** Undefined where errors are problems. Letters may be large or small, as the router takes them. */
  formFor({ path }: Pick<Request, 'path'>): ErrorForm | undefined {
    const called = `${path}/`.toLowerCase();
    for (const [prefix, form] of this.forms) if (called.startsWith(prefix)) return form;
    return undefined;
  }
}
