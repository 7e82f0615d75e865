import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { ServiceError } from '../service-error.js';
import { RouteTable } from './route-table.js';

/** The form of errors for clients of a protocol that does not use `application/problem+json`. */
export interface ErrorForm {
  /** Returns the body, which is sent as JSON. */
  body(error: ServiceError, executionId: string | undefined): unknown;
  /** Returns headers in addition to those of the error. */
  headers(error: ServiceError, executionId: string | undefined): Readonly<Record<string, string>>;
}

/**
 * Sets the form of errors below a controller's path, including errors before a route is reached and of paths without a
 * route (contract section 12).
 */
export const ErrorsAs = Reflector.createDecorator<ErrorForm>();

/** The forms of errors by the path of the call. */
@Injectable()
export class ErrorForms {
  private readonly forms: ReadonlyMap<string, ErrorForm>;

  constructor(table: RouteTable) {
    this.forms = new Map(
      table.withDecorator(ErrorsAs).map(({ route, value: value }) => [`${route.prefix}/`, value]),
    );
  }

  /** Returns the form of errors for a path; undefined where errors are problems. Case does not matter, as in the router. */
  formFor({ path }: Pick<Request, 'path'>): ErrorForm | undefined {
    const called = `${path}/`.toLowerCase();
    for (const [prefix, form] of this.forms) if (called.startsWith(prefix)) return form;
    return undefined;
  }
}
