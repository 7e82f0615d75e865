import type { AppConfig } from '../../common/app-config.js';
import { LiveStreams } from './live-streams.js';
import { predictionForm } from './prediction-form.js';
import type { ResumeTokens } from './resume-tokens.js';

describe('the logs of streamed runs', () => {
  it('are kept after their ends up to a number, those that ended last', () => {
    const tokens = { create: (id: string) => id } as unknown as ResumeTokens;
    const logs = new LiveStreams({ streamGraceMs: 0 } as AppConfig, tokens);
    const running = logs.open('running', 'flow', predictionForm.stream('running'));
    for (let run = 0; run <= 2_000; run++) {
      const log = logs.open(`run ${run}`, 'flow', predictionForm.stream(`run ${run}`));
      const answer = {
        text: 'x',
        question: '',
        chatId: '',
        chatMessageId: '',
        sessionId: '',
        executionId: '',
      };
      logs.retire(log, { answer: { ...answer, usage: { credits: 1 } } });
    }
    expect(logs.find('run 0')).toBeUndefined();
    expect([logs.find('run 1')?.ended, logs.find('run 2000')?.ended]).toEqual([true, true]);
    expect(logs.find('running')).toBe(running);
    expect(logs.find('run 1')?.rest()).toBeUndefined();
    expect(Object.values(logs.find('run 1')!)).not.toContainEqual(
      expect.objectContaining({ answer: expect.anything() }),
    );
  });
});
