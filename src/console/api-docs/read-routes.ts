import { RequestMethod, type Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { z } from 'zod';
import { FLOW_ACCESS_OPTIONS, type FlowAccessOptions } from '../../auth/flow-access.js';
import { AdminGuard } from '../../common/admin.guard.js';
import { bodySchemaOf, querySchemaOf } from '../../common/valid-body.decorator.js';

/** A route of the application, as its controller declares it. */
export interface Route {
  /** `POST /api/v1/prediction/{flowId}` */
  name: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  parameters: string[];
  /** What the route's guards ask for. */
  access: 'admin' | 'flow' | 'none';
  flowAccess: FlowAccessOptions | undefined;
  httpStatus: number;
  body: z.ZodType | undefined;
  query: z.ZodType | undefined;
}

type Handler = (...parameters: never[]) => unknown;

const metadata = <Value>(key: string, target: object): Value | undefined =>
  Reflect.getMetadata(key, target) as Value | undefined;

/** Every route of every controller, so that what the description says of access and schemas is what really checks. */
export function readRoutes(modules: ModulesContainer): Route[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => routesOf(metatype as Type));
}

function routesOf(controller: Type): Route[] {
  const prefix = metadata<string>('path', controller) ?? '';
  const members = controller.prototype as Record<string, Handler>;
  return Object.getOwnPropertyNames(members).flatMap((name) => {
    const handler = members[name]!;
    const path = name === 'constructor' ? undefined : metadata<string | string[]>('path', handler);
    return path === undefined ? [] : [path].flat().map((one) => routeOf(controller, handler, prefix, one));
  });
}

function routeOf(controller: Type, handler: Handler, prefix: string, own: string): Route {
  const parts = `${prefix}/${own}`.split('/').filter((part) => part !== '');
  const path = `/${parts.map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part)).join('/')}`;
  const method = RequestMethod[metadata<RequestMethod>('method', handler) ?? RequestMethod.GET];
  const guards = [controller, handler].flatMap((target) => metadata<unknown[]>('__guards__', target) ?? []);
  const flowAccess = metadata<FlowAccessOptions>(FLOW_ACCESS_OPTIONS, handler);
  return {
    name: `${method} ${path}`,
    method,
    path,
    parameters: parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
    access: guards.includes(AdminGuard) ? 'admin' : flowAccess ? 'flow' : 'none',
    flowAccess,
    httpStatus: metadata<number>('__httpCode__', handler) ?? 200,
    body: bodySchemaOf(handler),
    query: querySchemaOf(handler),
  };
}
