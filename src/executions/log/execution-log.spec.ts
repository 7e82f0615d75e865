import { databases } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import {
  draftOf,
  freshChat,
  nodeRun,
  openTestExecutions,
  succeededAt,
} from '../../../test/support/test-executions.js';
import type { Outcome, SettledExecution } from '../execution.js';
import { RunInterrupted } from '../run-fence.js';

describe.each(databases)('the execution log on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind));

  rule('shows a record in the shape of the contract', async ({ log, gate, archive, clock }) => {
    const draft = draftOf(clock.now(), {
      ...freshChat(),
      flowName: 'Assistant',
      caller: { address: '10.0.0.1', apiKeyId: 'k1', origin: 'https://example.com' },
      question: 'Hello',
      credits: 3,
    });
    expect(await gate.write((tx) => log.open(tx, draft))).toBe(true);
    expect(await archive.get(draft.id)).toMatchObject({
      status: 'running',
      httpStatus: null,
      finishedAt: null,
    });
    log
      .trace(draft.id)
      .node(nodeRun('n1', { startedAt: clock.now(), status: 'failed', durationMs: 7, error: 'boom' }));
    const outcome = {
      status: 'failed',
      httpStatus: 500,
      code: 'flow_failed',
      error: 'boom',
      failedNode: { id: 'n1', label: 'Reply' },
      firstTokenMs: 12,
      tokens: { inputTokens: 5, outputTokens: 6 },
      finishedAt: clock.now() + 250,
    } as const;
    expect(await gate.write((tx) => log.settle(tx, draft.id, outcome))).toBe(true);
    expect(await archive.get(draft.id)).toEqual({
      id: draft.id,
      kind: 'prediction',
      flowId: 'f',
      flowName: 'Assistant',
      chatId: draft.chatId,
      status: 'failed',
      httpStatus: 500,
      code: 'flow_failed',
      error: 'boom',
      startedAt: '2026-11-21T09:30:00.000Z',
      finishedAt: '2026-11-21T09:30:00.250Z',
      durationMs: 250,
      firstTokenMs: 12,
      credits: 3,
      tokens: { inputTokens: 5, outputTokens: 6 },
      caller: { address: '10.0.0.1', apiKeyId: 'k1', origin: 'https://example.com' },
      failedNode: { id: 'n1', label: 'Reply' },
      question: 'Hello',
      nodes: [
        {
          runId: 'n1',
          nodeId: 'n1',
          label: 'n1',
          kind: 'reply',
          status: 'failed',
          startedAt: '2026-11-21T09:30:00.000Z',
          durationMs: 7,
          input: { question: 'Hello' },
          output: null,
          error: 'boom',
          attempt: 1,
        },
      ],
    });
  });

  rule('settles an execution once, however many try at once', async ({ log, gate, clock }) => {
    const draft = draftOf(clock.now(), { ...freshChat(), account: 'default', credits: 2 });
    await gate.write((tx) => log.open(tx, draft));
    const heard: SettledExecution[] = [];
    log.onSettled(async (_tx, settled) => void (settled.id === draft.id && heard.push(settled)));
    const settle = () => gate.write((tx) => log.settle(tx, draft.id, succeededAt(clock.now() + 5)));
    const results = await Promise.all(Array.from({ length: 20 }, settle));
    expect(results.filter((settled) => settled)).toHaveLength(1);
    expect(heard).toEqual([
      {
        id: draft.id,
        kind: 'prediction',
        status: 'succeeded',
        httpStatus: 200,
        flowId: 'f',
        chatId: draft.chatId,
        account: 'default',
        credits: 2,
        runId: draft.id,
        finishedAt: clock.now() + 5,
      },
    ]);
  });

  rule('keeps a record running when a listener of its end fails', async ({ log, gate, clock, archive }) => {
    const draft = draftOf(clock.now(), freshChat());
    await gate.write((tx) => log.open(tx, draft));
    let fails = true;
    log.onSettled(async (_tx, settled) => {
      if (settled.id === draft.id && fails) throw new Error('no refund');
    });
    const settle = () => gate.write((tx) => log.settle(tx, draft.id, succeededAt(clock.now())));
    await expect(settle()).rejects.toThrow('no refund');
    expect((await archive.get(draft.id)).status).toBe('running');
    fails = false;
    expect(await settle()).toBe(true);
  });

  rule('gives the turn of a chat to one of fifty who ask at once', async ({ log, gate, clock, reader }) => {
    const chat = freshChat();
    const drafts = Array.from({ length: 50 }, () => draftOf(clock.now(), { ...chat, takesChatLock: true }));
    const opened = await Promise.all(drafts.map((draft) => gate.write((tx) => log.open(tx, draft))));
    expect(opened.filter((open) => open)).toHaveLength(1);
    const rows = await reader.all('SELECT id FROM executions WHERE chat_id = ?', [chat.chatId]);
    expect(rows).toEqual([{ id: drafts[opened.indexOf(true)]!.id }]);
  });

  rule(
    'hands the turn to one of those who wait when the holder ends',
    async ({ log, gate, clock, reader }) => {
      const chat = freshChat();
      const holder = draftOf(clock.now(), { ...chat, takesChatLock: true });
      const waiting = Array.from({ length: 10 }, () => draftOf(clock.now(), chat));
      for (const draft of [holder, ...waiting]) await gate.write((tx) => log.open(tx, draft));
      const take = () =>
        Promise.all(
          waiting.map(({ id }) =>
            gate.write((tx) => log.takeChatLock(tx, { executionId: id, attempt: 1 }, 4)),
          ),
        );
      expect((await take()).some((taken) => taken)).toBe(false);
      await gate.write((tx) => log.settle(tx, holder.id, succeededAt(clock.now())));
      const taken = await take();
      expect(taken.filter((got) => got)).toHaveLength(1);
      expect(
        await reader.all('SELECT id, credits FROM executions WHERE chat_id = ? AND holds_turn = 1', [
          chat.chatId,
        ]),
      ).toEqual([{ id: waiting[taken.indexOf(true)]!.id, credits: 4 }]);
    },
  );

  rule('gives no turn to an attempt that is over', async ({ log, gate, clock }) => {
    const draft = draftOf(clock.now(), freshChat());
    await gate.write((tx) => log.open(tx, draft));
    await gate.write((tx) => tx.run('UPDATE executions SET attempt = 2 WHERE id = ?', [draft.id]));
    const take = (attempt: number) =>
      gate.write((tx) => log.takeChatLock(tx, { executionId: draft.id, attempt }));
    await expect(take(1)).rejects.toBeInstanceOf(RunInterrupted);
    expect(await take(2)).toBe(true);
  });

  rule('lets other chats, and the same chat of another flow, not wait', async ({ log, gate, clock }) => {
    const chat = freshChat();
    const open = (members: object) =>
      gate.write((tx) => log.open(tx, draftOf(clock.now(), { ...chat, takesChatLock: true, ...members })));
    expect(await open({})).toBe(true);
    expect(await open({ flowId: 'other' })).toBe(true);
    expect(await open(freshChat())).toBe(true);
    expect(await open({})).toBe(false);
  });

  rule('lets a waiting execution end later, once', async ({ log, gate, clock, archive }) => {
    const draft = draftOf(clock.now(), { ...freshChat(), takesChatLock: true });
    await gate.write((tx) => log.open(tx, draft));
    const settle = (status: 'waiting' | 'succeeded') =>
      gate.write((tx) => log.settle(tx, draft.id, succeededAt(clock.now(), { status })));
    expect(await settle('waiting')).toBe(true);
    expect(await settle('waiting')).toBe(false);
    expect(await settle('succeeded')).toBe(true);
    expect(await settle('succeeded')).toBe(false);
    expect((await archive.get(draft.id)).status).toBe('succeeded');
  });

  rule('adds up the tokens of an execution that waited', async ({ log, gate, clock, archive }) => {
    const parts = [
      { status: 'waiting', firstTokenMs: 40, tokens: { inputTokens: 10, outputTokens: 20 } },
      { status: 'waiting' },
      { status: 'succeeded', firstTokenMs: 7, tokens: { inputTokens: 1, outputTokens: 2 } },
    ] as const;
    const settled = async (...ends: readonly Partial<Outcome>[]) => {
      const draft = draftOf(clock.now(), freshChat());
      await gate.write((tx) => log.open(tx, draft));
      for (const end of ends) {
        const outcome = succeededAt(clock.now(), end);
        expect(await gate.write((tx) => log.settle(tx, draft.id, outcome))).toBe(true);
        const again = "UPDATE executions SET status = 'running' WHERE id = ? AND status = 'waiting'";
        if (end !== ends.at(-1)) await gate.write((tx) => tx.run(again, [draft.id]));
      }
      const { firstTokenMs, tokens } = await archive.get(draft.id);
      return [firstTokenMs, tokens];
    };
    const [first, none, last] = parts;
    expect(await settled(...parts)).toEqual([40, { inputTokens: 11, outputTokens: 22 }]);
    expect(await settled(first, { status: 'aborted' })).toEqual([40, first.tokens]);
    expect(await settled(none, last)).toEqual([7, last.tokens]);
    expect(await settled(none, { status: 'failed' })).toEqual([undefined, undefined]);
  });

  rule('masks what the record keeps of question, answer and node', async ({ log, gate, clock, archive }) => {
    const secret = 'sk-abcdefgh12345678';
    const draft = draftOf(clock.now(), { ...freshChat(), question: `use ${secret}` });
    await gate.write((tx) => log.open(tx, draft));
    log
      .trace(draft.id)
      .node(nodeRun('n', { input: { apiKey: 'x', text: secret }, error: secret, output: secret }));
    await gate.write((tx) =>
      log.settle(tx, draft.id, succeededAt(clock.now(), { answer: secret, error: secret })),
    );
    expect(JSON.stringify(await archive.get(draft.id))).not.toContain('abcdefgh');
  });

  rule('writes a flood of refused calls in groups, each exactly once', async ({ log, clock, reader }) => {
    const caller = { address: '203.0.113.9', origin: 'x'.repeat(10_000) };
    for (let call = 0; call < 3_000; call++) {
      log.refuse({
        ...draftOf(clock.now(), { flowId: 'n'.repeat(5_000) }),
        caller,
        status: 'rejected',
        httpStatus: 404,
        code: 'flow_not_found',
        finishedAt: clock.now(),
      });
    }
    const written = async () => {
      await log.flush();
      const rows = await reader.one<{ count: number }>(
        `SELECT count(*) AS count, max(length(flow_id)) AS flow, max(length(caller_origin)) AS origin FROM executions
         WHERE http_status = 404`,
      );
      return rows!;
    };
    // A flush gives up after two seconds, where the database is slow.
    await eventually(async () => (await written()).count === 3_000);
    expect(await written()).toMatchObject({ count: 3_000, flow: 256, origin: 200 });
  });
});
