import { z } from 'zod';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import type { Json } from '../engine/json.js';
import type { NodeKind } from '../engine/node-kind.js';
import {
  type HttpSettings,
  HttpRequests,
  httpSettings,
  isRepeatable,
  readHttpAnswer,
} from '../http/http-request.js';
import { secretsIn, shownPlaces } from '../http/http-secrets.js';

const config = z
  .object(httpSettings)
  .describe('Sends a request to another service: {{id.output.data}}, {{id.output.status}}.');

/**
 * Sends a request to another service under the rules of `common/outbound/outbound-http`. The output is `{ status, headers,
 * data }`; a status of 400 or more fails the node. A resumed run reuses the stored answer of an earlier attempt; a request
 * whose answer was lost is retried only if that is safe.
 */
export const httpNode = (http: OutboundHttp, credentials: CredentialSource): NodeKind<HttpSettings> => {
  const requests = new HttpRequests(http, credentials);
  return {
    kind: 'http',
    label: 'HTTP',
    icon: 'globe',
    config,
    streams: false,
    leafText: 'own',
    outputMembers: () => ['status', 'headers', 'data'],
    persists: () => ({ state: false }),
    rawTexts: ['credentialId'],
    secretsIn,
    traceOf: (config) => ({ ...config, ...shownPlaces(config) }) as Json,
    async run(context) {
      const { config, effects } = context;
      const { ready, send } = await requests.prepare(config, context);
      const stored = await effects.outside('http', { repeatable: isRepeatable(config), ready }, send);
      const { text, ...output } = await readHttpAnswer(stored, config.responseType, context);
      return { output, text };
    },
  };
};
