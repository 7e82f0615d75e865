import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, type ReflectableDecorator, Reflector } from '@nestjs/core';
import type { RouteNote } from '../../api/route-note.js';

/** Documents a route beside its method: summary, answers and everything else that its code does not show. */
export const Documented = Reflector.createDecorator<RouteNote>();

/** A route of the application, as its controller declares it. */
export interface DeclaredRoute {
  /** Upper case. */
  readonly method: string;
  /** With parameters as `:name`, a leading slash and no trailing one. */
  readonly path: string;
  /** The part of the path that all routes of the controller share. */
  readonly prefix: string;
  readonly controller: Type;
  readonly handler: Handler;
}

type Handler = (...parameters: never[]) => unknown;

/**
 * Every route of every module, read once at the start. A route tells lower modules what they need by decorators that they
 * define, so that no lower module knows the paths of an upper one.
 */
@Injectable()
export class RouteTable {
  readonly routes: readonly DeclaredRoute[];

  constructor(
    discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {
    this.routes = discovery.getControllers().flatMap(({ metatype }) => this.routesOf(metatype as Type));
  }

  /** Returns the routes that have this decorator, themselves or through their controller, with its value. */
  withDecorator<Value>(decorator: ReflectableDecorator<Value>): { route: DeclaredRoute; value: Value }[] {
    return this.routes.flatMap((route) => {
      const value = this.decoratorValue(route, decorator);
      return value === undefined ? [] : [{ route, value: value }];
    });
  }

  /** Returns the value of a decorator on this route, else on its controller; undefined when neither has it. */
  decoratorValue<Value>(
    { handler, controller }: Pick<DeclaredRoute, 'handler' | 'controller'>,
    decorator: ReflectableDecorator<Value>,
  ): Value | undefined {
    return this.reflector.getAllAndOverride(decorator, [handler, controller]);
  }

  private routesOf(controller: Type): DeclaredRoute[] {
    const members = controller.prototype as Record<string, Handler>;
    return this.scanner.getAllMethodNames(members).flatMap((name) => {
      const handler = members[name]!;
      const method = this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
      if (method === undefined) return [];
      const made = { method: RequestMethod[method], controller, handler };
      return pathsOf(this.reflector, controller).flatMap((prefix) =>
        pathsOf(this.reflector, handler).map((own) => ({
          ...made,
          path: joined(prefix, own),
          prefix: joined(prefix),
        })),
      );
    });
  }
}

const pathsOf = (reflector: Reflector, target: Type | Handler): string[] =>
  [reflector.get<string | string[] | undefined>(PATH_METADATA, target) ?? ''].flat();

const joined = (...parts: string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
