import OpenAI from 'openai';

/** A published OpenAI client whose requests are counted, since it retries unless an answer forbids it. */
export function openAiClient(serviceUrl: string, apiKey = 'none') {
  const requests: string[] = [];
  const counted: typeof fetch = (input, init) => {
    requests.push(input instanceof Request ? input.url : String(input));
    return fetch(input, init);
  };
  const baseURL = `${serviceUrl}/api/v1/openai`;
  return { openai: new OpenAI({ apiKey, baseURL, fetch: counted }), requests };
}

/** Returns the error of a call, and the number of requests that the client sent. */
export async function refusalOf(
  { requests }: { requests: string[] },
  call: () => Promise<unknown>,
): Promise<{ error: InstanceType<typeof OpenAI.APIError>; sent: number }> {
  const before = requests.length;
  try {
    await call();
  } catch (error) {
    if (error instanceof OpenAI.APIError) return { error, sent: requests.length - before };
    throw error;
  }
  throw new Error('the call was not refused');
}
