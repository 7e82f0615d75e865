import type { FlowSummary } from '../../../../src/api/flows.js';

/** One way to call a flow: code to copy, and a note. */
export interface Snippet {
  id: string;
  name: string;
  about: string;
  text: string;
}

type Called = Pick<FlowSummary, 'id' | 'access' | 'openai'>;

/** A placeholder for the flow's key, whose value the service does not store. */
export const YOUR_KEY = 'YOUR_API_KEY';

const isKeyed = ({ access }: Called): boolean => access.apiKeyId !== null;

/** Returns the curl command that calls a flow. */
export function curlFor(origin: string, flow: Called): string {
  const key = isKeyed(flow) ? ` -H 'Authorization: Bearer ${YOUR_KEY}'` : '';
  const address = `${origin}/api/v1/prediction/${encodeURIComponent(flow.id)}`;
  return `curl '${address}'${key} -H 'Content-Type: application/json' -d '{"question": "Hello"}'`;
}

function sdkFor(origin: string, flow: Called): string {
  const key = isKeyed(flow) ? `, apiKey: '${YOUR_KEY}'` : '';
  return `const { FlowiseClient } = require('flowise-sdk');

const client = new FlowiseClient({ baseUrl: '${origin}'${key} });
client
  .createPrediction({ chatflowId: '${flow.id}', question: 'Hello' })
  .then((answer) => console.log(answer.text));`;
}

function widgetFor(origin: string, flow: Called): string {
  const key = `
    onRequest: async (request) => {
      request.headers = { ...request.headers, Authorization: 'Bearer ${YOUR_KEY}' };
    },`;
  return `<script type="module">
  import Chatbot from './web.js';
  Chatbot.init({
    chatflowid: '${flow.id}',
    apiHost: '${origin}',${isKeyed(flow) ? key : ''}
  });
</script>`;
}

function openAiFor(origin: string, flow: Called): string {
  // The client requires a key even if the flow needs none.
  const key = isKeyed(flow) ? YOUR_KEY : 'none';
  return `const OpenAI = require('openai');

const client = new OpenAI({ baseURL: '${origin}/api/v1/openai', apiKey: '${key}' });
client.chat.completions
  .create({ model: '${flow.id}', messages: [{ role: 'user', content: 'Hello' }] })
  .then((answer) => console.log(answer.choices[0].message.content));`;
}

/** Returns the ways to call a flow of the service at this origin. Ids need no escaping. */
export const snippetsFor = (origin: string, flow: Called): Snippet[] => [
  {
    id: 'curl',
    name: 'curl',
    about: 'From a shell. Add "chatId" to continue a conversation, or "streaming": true for a stream.',
    text: curlFor(origin, flow),
  },
  {
    id: 'sdk',
    name: 'JavaScript',
    about:
      'With flowise-sdk from npm. chatId continues a conversation. With streaming: true the answer is an async iterable of { event, data }.',
    text: sdkFor(origin, flow),
  },
  {
    id: 'widget',
    name: 'Website',
    about: isKeyed(flow)
      ? 'The chat window of flowise-embed from npm. Serve its dist/web.js with your page. Anyone who opens the page can read the key, so for a public page use a flow without a key and set allowed domains and a rate limit.'
      : 'The chat window of flowise-embed from npm. Serve its dist/web.js with your page. If the flow lists allowed domains, only their pages can use it.',
    text: widgetFor(origin, flow),
  },
  ...(isKeyed(flow) || flow.openai === true
    ? [
        {
          id: 'openai',
          name: 'OpenAI clients',
          about:
            'With openai from npm, or any client of that API. The base URL is this service and the model is the flow’s id.',
          text: openAiFor(origin, flow),
        },
      ]
    : []),
];
