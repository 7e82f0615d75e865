import type { z } from 'zod';
import type { RouteNote } from '../../api/route-note.js';
import { FLOW_ACCESS_OPTIONS, type FlowAccessOptions } from '../../auth/flow-call.js';
import { bodySchemaOf, querySchemaOf } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { type ErrorForm, ErrorsAs } from '../../common/http/error-forms.js';
import { type DeclaredRoute, Documented, type RouteTable } from '../../common/http/route-table.js';
import { Recorded } from '../../executions/arrival/recorded-routes.js';

/** A route of the application, as its controller declares it. */
export interface Route {
  /** Such as `POST /api/v1/prediction/{flowId}`. */
  name: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  parameters: string[];
  /** The access that the route's guards require. */
  access: 'admin' | 'flow' | 'none';
  flowAccess: FlowAccessOptions | undefined;
  /** True if its answers carry `X-Execution-Id`. */
  isRecorded: boolean;
  /** The form of its errors, if they are not problems. */
  errorForm: ErrorForm | undefined;
  httpStatus: number;
  body: z.ZodType | undefined;
  query: z.ZodType | undefined;
  /** The documentation beside the method. */
  note: RouteNote | undefined;
}

const metadata = <Value>(key: string, target: object): Value | undefined =>
  Reflect.getMetadata(key, target) as Value | undefined;

/** Reads every route from its controller, so that the description has the guards and schemas that run. */
export const readRoutes = (table: RouteTable): Route[] =>
  table.routes.map((route) => ({
    ...routeOf(route),
    isRecorded: table.decoratorValue(route, Recorded) !== undefined,
    errorForm: table.decoratorValue(route, ErrorsAs),
    note: table.decoratorValue(route, Documented),
  }));

function routeOf({
  method,
  path: declared,
  controller,
  handler,
}: DeclaredRoute): Omit<Route, 'isRecorded' | 'errorForm' | 'note'> {
  const path = declared.replace(/:([^/]+)/g, '{$1}');
  const guards = [controller, handler].flatMap((target) => metadata<unknown[]>('__guards__', target) ?? []);
  const flowAccess = metadata<FlowAccessOptions>(FLOW_ACCESS_OPTIONS, handler);
  return {
    name: `${method} ${path}`,
    method,
    path,
    parameters: [...declared.matchAll(/:([^/]+)/g)].map(([, name]) => name!),
    access: guards.includes(AdminGuard) ? 'admin' : flowAccess ? 'flow' : 'none',
    flowAccess,
    httpStatus: metadata<number>('__httpCode__', handler) ?? 200,
    body: bodySchemaOf(handler),
    query: querySchemaOf(handler),
  };
}
