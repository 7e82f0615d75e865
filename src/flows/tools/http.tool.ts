import { z } from 'zod';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import type { Json } from '../engine/json.js';
import { fieldsOf } from '../http/http-body.js';
import {
  HttpRequests,
  type HttpSettings,
  httpSettings,
  isRepeatable,
  readHttpAnswer,
} from '../http/http-request.js';
import { secretsIn } from '../http/http-secrets.js';
import { argumentLookup } from './arguments.js';
import { callOnce, oneTool, parametersSetting, toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({
    tool: z.literal('http'),
    ...toolSettings,
    parameters: parametersSetting,
    ...httpSettings,
  })
  .describe('Sends a request to another service, like the node http.');

const NO_PARAMETERS = { type: 'object', properties: {} };

/**
 * Sends a request under the rules of the `http` node. The flow defines the request; arguments only fill `{{$args.name}}` in
 * it. The model receives a status of 400 or more as a failure.
 */
export const httpTool = (
  http: OutboundHttp,
  credentials: CredentialSource,
): ToolType<z.infer<typeof settings>> => {
  const requests = new HttpRequests(http, credentials);
  return {
    tool: 'http',
    settings,
    secretsIn,
    open: async ({ tool, name = tool, description, parameters, requiresApproval: _, ...written }, user) =>
      oneTool(
        {
          name,
          ...(description === undefined ? {} : { description }),
          parameters: parameters ?? NO_PARAMETERS,
          async call(args, place) {
            const filled = await user.filled(written, argumentLookup(args, parameters));
            user.secret(...secretsIn(filled, written));
            const query = withoutMissing(filled.query, written.query, args);
            const request = { ...filled, query, credentialId: written.credentialId };
            const { send } = await requests.prepare(request, user);
            return callOnce('http', place, isRepeatable(request), async (key) => {
              const { text, ...output } = await readHttpAnswer(await send(key), request.responseType, user);
              return { text, output };
            });
          },
        },
        user,
      ),
  };
};

/** Leaves out query members that are a missing argument. */
function withoutMissing(
  filled: HttpSettings['query'],
  written: HttpSettings['query'],
  args: Record<string, Json>,
): HttpSettings['query'] {
  const before = fieldsOf(written);
  const isOmitted = (value: Json | undefined): boolean => {
    const name =
      typeof value === 'string' ? /^\{\{\$args\.([^{}.]+)\}\}$/.exec(value.trim())?.[1] : undefined;
    return name !== undefined && !Object.hasOwn(args, name);
  };
  if (!before.some(([, value]) => isOmitted(value))) return filled;
  const given = fieldsOf(filled).filter((_, index) => !isOmitted(before[index]?.[1]));
  return given.map(([key, value]) => ({ key, value }));
}
