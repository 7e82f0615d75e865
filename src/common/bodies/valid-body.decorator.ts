import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { z } from 'zod';
import { faultsOf } from '../plain-faults.js';
import { InvalidRequest } from '../service-error.js';
import { readJsonBody } from './request-body.js';

/** Admin bodies are small. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** The largest body of a flow or draft, whose definition may have 10 MB. */
export const FLOW_BYTES = 16 * 1024 * 1024;

const bodySchemas = new WeakMap<object, z.ZodType>();
const querySchemas = new WeakMap<object, z.ZodType>();

/** Returns the checked value. Throws 400 `invalid_request` with each fault's path. */
export function checked<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(faultsOf(parsed.error));
}

/**
 * The JSON body of a route, read after the guards have passed (`bodyParser` is off) and checked against a zod schema. Without
 * `isRequired` no body counts as an empty object.
 */
export const ValidBody = (
  schema: z.ZodType,
  mostBytes = LIMIT_BYTES,
  { isRequired = false } = {},
): ParameterDecorator => {
  // The schema is not passed as the decorator's data: Nest takes any object with a `transform` for a pipe.
  const decorator = createParamDecorator(async (_: unknown, context: ExecutionContext) => {
    const body = await readJsonBody(context.switchToHttp().getRequest<Request>(), mostBytes);
    return checked(schema, isRequired ? body : (body ?? {}));
  })();
  return noting(bodySchemas, schema, decorator);
};

/** Applies the decorator and records the schema of the handler for the API description. */
const noting =
  (
    schemas: WeakMap<object, z.ZodType>,
    schema: z.ZodType,
    decorator: ParameterDecorator,
  ): ParameterDecorator =>
  (target, key, index) => {
    if (key !== undefined) schemas.set((target as Record<string | symbol, object>)[key]!, schema);
    decorator(target, key, index);
  };

/** The schema of a handler's body, for the API description. */
export const bodySchemaOf = (handler: object): z.ZodType | undefined => bodySchemas.get(handler);

/** The schema of a handler's query, for the API description. */
export const querySchemaOf = (handler: object): z.ZodType | undefined => querySchemas.get(handler);

/** The query of a route, checked against a zod schema. */
export const ValidQuery = (schema: z.ZodType): ParameterDecorator => {
  const decorator = createParamDecorator((_: unknown, context: ExecutionContext) =>
    checked(schema, context.switchToHttp().getRequest<Request>().query),
  )();
  return noting(querySchemas, schema, decorator);
};
