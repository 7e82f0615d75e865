import type { RenderEvent } from '../../../../src/api/predictions.js';
import type { RenderAnswerView, RenderProgressView } from '../../../../src/api/reports.js';
import { ApiError, mayPass } from '../../api/api-error.js';
import { segment } from '../../api/client.js';
import { readEvents } from '../../api/event-source.js';

const PAUSE_MS = 1_000;

/** Follows a render to its end across lost connections. Throws when the render fails or cannot be followed. */
export async function watchRender(
  id: string,
  onProgress: (progress: RenderProgressView) => void,
): Promise<RenderAnswerView> {
  for (;;) {
    let result: RenderAnswerView | undefined;
    let failure: string | undefined;
    let wait = PAUSE_MS;
    try {
      await readEvents<RenderEvent>('GET', `pdf/renders/${segment(id)}`, ({ event, data }) => {
        if (event === 'progress') onProgress(data);
        if (event === 'result') result = data;
        if (event === 'error') failure = data;
      });
    } catch (error) {
      if (!(error instanceof ApiError) || !mayPass(error)) throw error;
      wait = error.retryAfterMs ?? PAUSE_MS;
    }
    if (result) return result;
    if (failure !== undefined)
      throw new ApiError(500, 'render_failed', failure || 'The report could not be created.');
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
