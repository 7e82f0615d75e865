/** Calls the service as any client would: one process, or a proxy in front of several. */
import http from 'node:http';

export const ADMIN_KEY = 'ak_the_admin_key_of_the_proofs';

const agent = new http.Agent({ keepAlive: true, maxSockets: 4096 });

/** A subclass provides the `url`. */
export class Client {
  /** Makes one HTTP call: `body` is an object (JSON), text or bytes. Resolves to { status, headers, text, json }. */
  request(method, path, { body, headers = {}, localAddress } = {}) {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request(
        `${this.url}${path}`,
        {
          method,
          agent,
          ...(localAddress ? { localAddress, agent: undefined } : {}),
          headers: {
            ...(payload === undefined
              ? {}
              : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
            ...headers,
          },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks))));
        },
      );
      request.on('error', (error) => {
        // The service had closed this idle connection: it never received the call, which is sent again.
        if (!request.reusedSocket || error.code !== 'ECONNRESET') reject(error);
        else this.request(method, path, { body, headers, localAddress }).then(resolve, reject);
      });
      request.end(payload);
    });
  }

  admin(method, path, body) {
    return this.request(method, path, { body, headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
  }

  /** Creates a flow through the admin API; throws if it is refused. */
  async createFlow(definition) {
    const answer = await this.admin('POST', '/api/v1/flows', definition);
    if (answer.status !== 200) throw new Error(`the flow was refused: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  predict(flowId, body, headers) {
    return this.request('POST', `/api/v1/prediction/${flowId}`, { body, headers });
  }
}

function answerOf(response, bytes) {
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes,
    get text() {
      return bytes.toString('utf8');
    },
    get json() {
      return JSON.parse(bytes.toString('utf8'));
    },
  };
}
