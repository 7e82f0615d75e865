/**
 * Each proof: its small size, and its mutants with the figure that must reveal each of them; a `slow` one is ended as
 * soon as it has.
 */
export const proofs = {
  ledger: {
    env: { PROVE_CALLS: '300', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'a charge that does not ask for the balance',
        edits: [
          [
            'auth/credit/credit-ledger.js',
            'WHERE account = ? AND balance >= ? RETURNING',
            'WHERE account = ? AND ? >= 0 RETURNING',
          ],
        ],
        failsBy: /refused 402/,
      },
      {
        name: 'failed runs are not refunded',
        edits: [['auth/credit/credit-ledger.js', 'if (!isGivenBack(settled))', 'if (settled !== null)']],
        failsBy: /answered \+ left = credit/,
      },
      {
        name: 'the balance moves without its entry',
        edits: [['auth/credit/credit-ledger.js', 'await this.append(tx, entries);', 'void entries;']],
        failsBy: /sum of the ledger − balance/,
      },
    ],
  },
  block: {
    env: { PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'a miss is counted while the address is blocked',
        edits: [
          [
            'auth/address-block/address-block.js',
            'WHERE known.blocked_until IS NULL OR known.blocked_until <= excluded.latest_at',
            'WHERE 1 = 1',
          ],
        ],
        failsBy: /404 of 100/,
      },
      {
        name: 'the window never ends',
        edits: [
          [
            'auth/address-block/address-block.js',
            '`known.earlier_at >= excluded.latest_at - ${STRIKE_WINDOW_MS}`',
            "'known.earlier_at IS NOT NULL'",
          ],
        ],
        failsBy: /900\.1 s/,
      },
    ],
  },
  limits: {
    env: { PROVE_CALLS: '1500', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'calls leave the window too early',
        edits: [
          ['auth/rate-limit/rate-limits.js', 'arrivedAt - windowMs', 'arrivedAt - windowMs / 2'],
          ['auth/rate-limit/rate-limits.js', 'this.rememberFull(full, state.freeAt);', ';'],
        ],
        failsBy: /windows with more than/,
      },
      {
        name: 'looking and counting are not one transaction',
        edits: [
          [
            'auth/rate-limit/rate-limits.js',
            'let look = await this.look(tx',
            'let look = await this.look(this.reader',
          ],
          ['auth/rate-limit/rate-limits.js', '(look?.newest ?? 0) + 1', 'Math.floor(Math.random() * 1e12)'],
        ],
        failsBy: /accepted of 500|windows with more than/,
      },
      {
        name: 'lanes of several processes take no locks of keys',
        env: { PROVE_DATABASE: 'postgres' },
        edits: [['database/postgres/postgres-gate.js', 'keys.length === 0', 'keys.length >= 0']],
        failsBy: /(accepted|refused) of 500|windows with more than/,
      },
    ],
  },
  claims: {
    env: { PROVE_ROUNDS: '2', PROVE_RENDERS: '20', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'a claim takes what another has taken',
        edits: [
          [
            'inspection/claims/take-records.js',
            'WHERE ${rows.sql} AND claim_id IS NULL AND ${condition}',
            'WHERE ${rows.sql} AND ${condition}',
          ],
        ],
        failsBy: /rounds with exactly one file/,
      },
      {
        name: 'each place shows the first photograph',
        edits: [
          [
            'inspection/claims/claim-contents.js',
            'ordered.filter((row) => row.withdrawn_at === null).map(input)',
            'inOneOrder(photographs).map((row) => photographInput({ ...row, rendition_key: photographs[0].rendition_key }))',
          ],
        ],
        failsBy: /rounds that print each photograph sent once/,
      },
    ],
  },
  kill: {
    env: { PROVE_CYCLES: '8', PROVE_DATABASE: 'sqlite', PROVE_SHORT: '1' },
    mutants: [
      {
        name: 'what a dead process ran is not ended',
        edits: [
          ['executions/upkeep/recovery.js', 'ended += await this.interrupt(row.process_id)', 'ended += 0'],
        ],
        slow: true,
        failsBy: /records left running/,
      },
      {
        name: 'claims of a dead process are not released',
        edits: [
          [
            'inspection/claims/claim.service.js',
            "if (kind === 'prediction' && status === 'succeeded')",
            'if (kind !== undefined)',
          ],
        ],
        failsBy: /photographs in reports − recorded/,
      },
      {
        name: 'the answer of a capture is not kept for its retry',
        edits: [
          [
            'executions/calls/call-lifecycle.js',
            'if (answer)',
            "if (answer && context.call.kind !== 'capture')",
          ],
        ],
        failsBy: /recorded twice/,
      },
      {
        name: 'a correction is kept in two halves',
        edits: [
          [
            'inspection/corrections/make-correction.js',
            'await updateAll(tx, changed);',
            '(globalThis.later ??= []).push((own) => updateAll(own, changed));',
          ],
          [
            'inspection/corrections/correction.service.js',
            'this.changes.announce(session);',
            `await new Promise((resolve) => setTimeout(resolve, 3_000));
             for (const say of (globalThis.later ?? []).splice(0)) await this.gate.write(say);
             this.changes.announce(session);`,
          ],
        ],
        failsBy: /half of one/,
      },
      {
        name: 'a run that was interrupted is not refunded',
        edits: [['auth/credit/credit-ledger.js', 'if (!isGivenBack(settled))', 'if (settled !== null)']],
        failsBy: /credits charged − calls sent/,
      },
    ],
  },
  power: {
    env: { PROVE_STATES: '120', PROVE_STARTS: '0', PROVE_ROUNDS: '4' },
    mutants: [
      {
        name: 'commits do not wait for the disk',
        edits: [['database/sqlite/sqlite-database.js', "soonDurable ? 'NORMAL' : 'FULL'", "'NORMAL'"]],
        failsBy: /acknowledged is missing/,
      },
      {
        name: 'SQLite syncs nothing',
        edits: [
          ['database/sqlite/sqlite-database.js', "soonDurable ? 'NORMAL' : 'FULL'", "'OFF'"],
          ['database/sqlite/sqlite-database.js', "'COMMIT; PRAGMA synchronous = NORMAL'", "'COMMIT'"],
        ],
        failsBy: /acknowledged is missing/,
      },
      {
        name: 'a blob that is put is not synced',
        edits: [['storage/synced-files.js', /(writeFile\(piece\);\s+\}\s+)await file\.sync\(\);/, '$1']],
        failsBy: /file is missing or not whole/,
      },
      {
        name: 'a finished draft is not synced',
        edits: [['storage/synced-files.js', /(open\(path, 'r\+'\);\s+try \{\s+)await file\.sync\(\);/, '$1']],
        failsBy: /file is missing or not whole/,
      },
      {
        name: 'the name of a blob is not synced',
        edits: [['storage/disk-store.js', 'await syncFolder(dirname(target));', '']],
        failsBy: /file is missing or not whole/,
      },
      {
        name: 'the name of a folder of blobs is not synced',
        edits: [['storage/blob-store.js', 'await syncFolder(dirname(directory));', '']],
        failsBy: /file is missing or not whole/,
      },
      {
        name: 'the folder of the blobs is made without a sync',
        edits: [
          [
            'storage/blob-store.js',
            'await makeLastingFolder(directory);',
            'await mkdir(directory, { recursive: true });',
          ],
        ],
        failsBy: /file is missing or not whole/,
      },
      {
        name: 'the folder of the database is made without a sync',
        edits: [['database/open/migrate.js', 'await makeLastingFolder(dirname(sqliteFile(url)));', ';']],
        failsBy: /acknowledged is missing/,
      },
      {
        name: 'a secret is not synced',
        edits: [['common/secrets/secret-file.js', 'await file.sync();', '']],
        failsBy: /states that do not open/,
      },
      {
        name: 'the name of a secret is not synced',
        edits: [['common/secrets/secret-file.js', 'await syncFolder(directory)', 'await Promise.resolve()']],
        failsBy: /another secret/,
      },
      {
        name: 'the folder of the secrets is made without a sync',
        edits: [
          [
            'common/secrets/secrets.js',
            'await makeLastingFolder(config.secretsDir)',
            "await import('node:fs/promises').then(({ mkdir }) => mkdir(config.secretsDir, { recursive: true }))",
          ],
        ],
        failsBy: /another secret/,
      },
      {
        name: 'folders above a new one are not synced',
        edits: [['common/lasting-folder.js', 'above !== below;', 'below === folder;']],
        failsBy: /acknowledged is missing/,
      },
    ],
  },
  sessions: {
    env: { PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'calls of a chat take no turn',
        edits: [
          ['prediction/run/chat-locks.js', 'if (line === undefined) {', 'if (line === undefined || true) {'],
          ['executions/log/execution-rows.js', 'draft.takesChatLock ? 1 : null', 'null'],
        ],
        failsBy: /permutation/,
      },
      {
        name: 'the turn holds within one process only',
        env: { PROVE_DATABASE: 'postgres' },
        edits: [['executions/log/execution-rows.js', 'draft.takesChatLock ? 1 : null', 'null']],
        failsBy: /permutation/,
      },
    ],
  },
  replicas: {
    env: { PROVE_CALLS: '500', PROVE_ROUNDS: '1', PROVE_STOP_MS: '6000' },
    mutants: [
      {
        name: 'a turn that holds within one process only',
        edits: [['executions/log/execution-rows.js', 'draft.takesChatLock ? 1 : null', 'null']],
        failsBy: /out of turn/,
      },
      {
        name: 'what was interrupted elsewhere ends all the same',
        env: { PROVE_TROUBLE: 'stop' },
        edits: [
          [
            'executions/log/execution-rows.js',
            /executions\.status = 'running'(\s+OR \(executions)/,
            "executions.status IN ('running', 'failed')$1",
          ],
          [
            'executions/run-fence.js',
            "id = ? AND status = 'running' AND attempt = ?",
            'id = ? AND attempt = ?',
          ],
        ],
        failsBy: /drift of the ledger|done twice|paid exactly once|out of turn/,
      },
      {
        name: 'a claim takes what another has taken',
        edits: [
          [
            'inspection/claims/take-records.js',
            'WHERE ${rows.sql} AND claim_id IS NULL AND ${condition}',
            'WHERE ${rows.sql} AND ${condition}',
          ],
        ],
        failsBy: /photographs in two reports/,
      },
      {
        name: 'calls leave the window too early',
        edits: [
          ['auth/rate-limit/rate-limits.js', 'arrivedAt - windowMs', 'arrivedAt - windowMs / 2'],
          ['auth/rate-limit/rate-limits.js', 'this.rememberFull(full, state.freeAt);', ';'],
        ],
        failsBy: /counted ones: the same/,
      },
      {
        name: 'a blob that the bucket did not take passes for stored',
        env: { PROVE_TROUBLE: 'cut S3' },
        edits: [
          [
            'storage/s3-store.js',
            /(await this\.objects\.remove\(key\)\.catch\(\(\) => undefined\);\s+)throw error;/,
            '$1',
          ],
        ],
        failsBy: /are not what was sent|not in the bucket/,
      },
      {
        name: 'each process goes by its own machine’s clock',
        edits: [['database/presence/server-time.js', 'this.clock.correctBy(this.correction);', ';']],
        failsBy: /dated by a wrong clock/,
      },
      {
        name: 'nobody handles the loss of Redis',
        env: { PROVE_TROUBLE: 'cut Redis' },
        edits: [
          [
            'prediction/redis-stream/redis-link.js',
            /(this\.lose\(connection, error\);\s+)return undefined;/,
            '$1throw error;',
          ],
        ],
        failsBy: /processes that ended by themselves/,
      },
    ],
  },
  fuzz: {
    env: { PROVE_CALLS: '150' },
    mutants: [
      {
        name: 'JSON that breaks off is an unexpected error',
        edits: [
          [
            'common/json/json-text.js',
            "new ServiceError('invalid_request', 'The body is not JSON",
            "new Error('The body is not JSON",
          ],
        ],
        failsBy: /unexpected 5xx/,
      },
      {
        name: 'a question of any length is taken',
        edits: [
          ['prediction/call/prediction-body.js', 'Buffer.byteLength(question) > LONGEST_QUESTION', 'false'],
        ],
        failsBy: /question too long/,
      },
      {
        name: 'a field that is no JSON is an unexpected error',
        edits: [
          [
            'common/bodies/form-fields.js',
            'if (error instanceof ServiceError && !(error instanceof InvalidEncoding))',
            "throw new Error('no JSON');",
          ],
        ],
        slow: true,
        failsBy: /forms: unexpected 5xx/,
      },
    ],
  },
  sse: {
    env: { PROVE_READERS: '100', PROVE_LEAVING: '60', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'frames are never dropped',
        edits: [
          [
            'prediction/stream/frame-log.js',
            'while (this.dropped < this.frames.length - 1) {',
            'while (this.dropped < 0) {',
          ],
        ],
        slow: true,
        failsBy: /readers that never read|cut off on the way/,
      },
      {
        name: 'a run goes on when all have left',
        edits: [
          [
            'executions/calls/audiences.js',
            "audience.grace = setTimeout(() => context.cancel('caller_left'), this.config.streamGraceMs).unref();",
            '',
          ],
        ],
        slow: true,
        failsBy: /still running|still open at the model/,
      },
    ],
  },
  paused: {
    env: { PROVE_DATABASE: 'postgres', PROVE_STEP: '3', PROVE_ROUTES: 'capture,render' },
    mutants: [
      {
        name: 'a capture writes its rows although it was interrupted',
        env: { PROVE_ROUTES: 'capture' },
        edits: [['executions/calls/call-lifecycle.js', 'throw new RunInterrupted();', ';']],
        slow: true,
        failsBy: /after the wake-up/,
      },
      {
        name: 'a render stores its report although its claim was released',
        env: { PROVE_ROUTES: 'render' },
        edits: [
          [
            'pdf/render/render-closing.js',
            'if (!(await this.claims.settle(tx, claim)))',
            'if (!(await this.claims.settle(tx, claim)) && false)',
          ],
          ['executions/calls/call-lifecycle.js', 'throw new RunInterrupted();', ';'],
        ],
        slow: true,
        failsBy: /after the wake-up/,
      },
      {
        name: 'a node records although its run was interrupted',
        // A write that was lost before it began is begun again on waking: the only one that this mutant lets through.
        env: { PROVE_ROUTES: 'prediction', PROVE_STEP: '1', PROVE_COUNTED: 'BEGIN READ WRITE' },
        edits: [
          ['executions/run-fence.js', '        throw new RunInterrupted();', '        ;'],
          ['executions/calls/effect-journal.js', 'if (written !== 1)', 'if (written < 0)'],
          [
            'executions/calls/effect-journal.js',
            ' WHERE EXISTS (${OURS})',
            ' WHERE EXISTS (${OURS}) OR TRUE',
          ],
        ],
        slow: true,
        failsBy: /after the wake-up|another number/,
      },
      {
        name: 'a call runs although its key was given to another',
        env: { PROVE_ROUTES: 'capture', PROVE_STEP: '1', PROVE_MESSAGES: '6' },
        edits: [['executions/calls/call-lifecycle.js', 'await requireKeys(tx, ', 'void (tx, ']],
        slow: true,
        failsBy: /after the wake-up/,
      },
    ],
  },
  once: {
    env: { PROVE_DATABASE: 'sqlite', PROVE_STEP: '4', PROVE_TIMES: '1' },
    mutants: [
      {
        name: 'what an earlier attempt did is not looked for',
        edits: [
          [
            'executions/calls/effect-journal.js',
            'const row = isResumed ? await this.row(place) : undefined;',
            'const row = undefined;',
          ],
        ],
        failsBy: /POSTs sent twice|photographs than one|failed without saying/,
      },
      {
        name: 'a request leaves without a row that it was begun',
        edits: [['flows/engine/node-effects.js', 'await this.journal.begin(place, name);', ';']],
        failsBy: /POSTs sent twice/,
      },
      {
        name: 'a capture is recorded without the row of its effect',
        edits: [
          [
            'inspection/capture/flow-captures.js',
            "journal.hooks(place, 'capture')",
            "{ ...journal.hooks(place, 'capture'), closing: undefined }",
          ],
        ],
        failsBy: /photographs than one/,
      },
      {
        name: 'a correction is made without the row of its effect',
        edits: [
          [
            'inspection/corrections/flow/flow-corrections.js',
            'effect.closing(tx, (outcome = outcomeOf(made)))',
            'void (outcome = outcomeOf(made))',
          ],
        ],
        failsBy: /corrections than one|turned as their corrections say/,
      },
      {
        name: 'the key of a call whose process died is given free',
        edits: [
          [
            'executions/upkeep/recovery.js',
            'UPDATE idempotent_answers SET process_id = NULL WHERE process_id = ?',
            'DELETE FROM idempotent_answers WHERE process_id = ?',
          ],
        ],
        failsBy: /POSTs sent twice|photographs than one/,
      },
    ],
  },
  approvals: {
    env: { PROVE_DATABASE: 'sqlite', PROVE_KILLS: '6', PROVE_CROWD_EVERY: '2', PROVE_SHORT: '1' },
    mutants: [
      {
        name: 'a stop is decided as often as it is clicked',
        edits: [
          [
            'executions/approvals/approval-store.js',
            'WHERE id = ? AND decision IS NULL AND expires_at > ?',
            'WHERE id = ? AND expires_at > ?',
          ],
          [
            'executions/approvals/approval-store.js',
            "duration_ms = NULL WHERE id = ? AND status = 'waiting'",
            'duration_ms = NULL WHERE id = ?',
          ],
        ],
        slow: true,
        failsBy: /not one click decided|told wrong|POSTs of \w+ sent twice/,
      },
      {
        name: 'a click is for whatever the chat waits for',
        edits: [
          [
            'executions/approvals/approval-store.js',
            'WHERE id = ? AND flow_id = ? AND chat_id = ?`',
            "WHERE id <> '' AND ? <> '' AND flow_id = ? AND chat_id = ? ORDER BY asked_at DESC LIMIT 1`",
          ],
        ],
        slow: true,
        failsBy: /late (other )?clicks|a late click moved/,
      },
      {
        name: 'a run after a click that was taken over goes on here too',
        env: { PROVE_DATABASE: 'postgres', PROVE_KILLS: '1' },
        edits: [
          [
            'executions/run-fence.js',
            "WHERE id = ? AND status = 'running' AND attempt = ?`",
            'WHERE id = ? AND ? > 0`',
          ],
        ],
        slow: true,
        failsBy: /woke up too late/,
      },
      {
        name: 'a run after a click dies with its process',
        edits: [['prediction/async/async-opening.js', 'outlivesProcess: true', 'outlivesProcess: !answers']],
        slow: true,
        failsBy: /neither 200 nor 500|failed without saying|left running or waiting/,
      },
    ],
  },
  async: {
    env: { PROVE_DATABASE: 'sqlite', PROVE_RUNS: '20', PROVE_KILLS: '2', PROVE_SHORT: '1' },
    mutants: [
      {
        name: 'a run that is taken over forgets what it did',
        edits: [
          [
            'executions/calls/effect-journal.js',
            'const row = isResumed ? await this.row(place) : undefined;',
            'const row = undefined;',
          ],
        ],
        failsBy: /recorded twice|did not end well|runs with a photograph/,
      },
      {
        name: 'the end of a run is told without its callback',
        edits: [
          [
            'prediction/async/callbacks.js',
            'runs.onEnd((tx, run) => this.queue(tx, run));',
            'runs.onEnd(async () => undefined);',
          ],
        ],
        failsBy: /called back/,
      },
    ],
  },
  overload: {
    env: { PROVE_DATABASE: 'sqlite', PROVE_SHORT: '1' },
    mutants: [
      {
        name: 'calls beyond the limit are let in',
        edits: [
          [
            'common/http/in-flight.js',
            'return this.places.take(clientAddress(request), 1);',
            'return () => undefined;',
          ],
        ],
        failsBy: /most that ran at once/,
      },
      {
        name: 'answers that wait on a broken connection are never closed',
        edits: [['app.setup.js', 'closeWithConnection,', '']],
        failsBy: /under way when/,
      },
      {
        name: 'the values of a body are not counted',
        edits: [['common/json/json-limits.js', 'if (this.taken > this.most)', 'if (this.taken < 0)']],
        slow: true,
        failsBy: /to POST .* answers|memory at its peak/,
      },
      {
        name: 'connections that say nothing are kept',
        edits: [
          [
            'common/http/connection-limits.js',
            'server.headersTimeout = LONGEST_HEADERS_MS;',
            'server.headersTimeout = 0;',
          ],
        ],
        failsBy: /connections that said nothing/,
      },
    ],
  },
  streams: {
    env: { PROVE_STREAMS: '40', PROVE_KILLS: '3' },
    mutants: [
      {
        name: 'what a reader has of a group is told again',
        edits: [
          [
            'prediction/redis-stream/stored-frames.js',
            'group.frames.slice(next - group.first)',
            'group.frames',
          ],
        ],
        failsBy: /kills: streams with a token lost/,
      },
      {
        name: 'frames are written once a minute',
        edits: [
          ['prediction/redis-stream/frame-keeper.js', 'const GATHER_MS = 25;', 'const GATHER_MS = 60_000;'],
        ],
        failsBy: /before the kill and never told/,
      },
      {
        name: 'a stream that has ended is told by its record alone',
        edits: [['prediction/resume/stream-ends.js', 'since < this.config.streamGraceMs ?', 'since < 0 ?']],
        failsBy: /nobody dies: streams told whole/,
      },
      {
        name: 'the process that runs a stream is not asked',
        edits: [
          [
            'prediction/resume/stream-resume.js',
            'await this.forward.follow(owner, place, response)',
            'false',
          ],
        ],
        failsBy: /nobody dies: streams with a token lost/,
      },
    ],
  },
  egress: {
    env: {},
    mutants: [
      {
        name: 'the answer of the name server is believed',
        edits: [
          [
            'common/outbound/outbound-http.js',
            '!addresses.every(({ address }) => isPublicAddress(address))',
            'false',
          ],
        ],
        failsBy: /connections by/,
      },
    ],
  },
  pictures: {
    env: { PROVE_CALLERS: '8', PROVE_EACH: '4', PROVE_BOMBS: '40', PROVE_LOOKS: '3' },
    mutants: [
      {
        name: 'pictures are let in whatever they need',
        edits: [
          ['inspection/pictures/picture-job.js', 'if (megabytes > most * MARGIN)', 'if (megabytes < 0)'],
          ['inspection/pictures/picture-job.js', 'megabytes: Math.min(megabytes, most)', 'megabytes: 1_000'],
          ['inspection/pictures/decoder-pool.js', 'return fits && leavesLight &&', 'return'],
        ],
        slow: true,
        failsBy: /grown by/,
      },
      {
        name: 'whoever came first goes first',
        edits: [
          [
            'inspection/pictures/picture-slots.js',
            'return this.last(keyOf(one)) < this.last(keyOf(other));',
            'return false;',
          ],
          ['inspection/pictures/picture-job.js', "? 'turn' : undefined", '? undefined : undefined'],
          [
            'inspection/pictures/decoder-pool.js',
            "return lane === 'light' || own.every(({ job }) => job.lane !== 'heavy');",
            'return true;',
          ],
        ],
        slow: true,
        failsBy: /HEIC among interlaced PNGs: waited longer/,
      },
    ],
  },
  bounds: {
    env: { PROVE_DATABASE: 'sqlite', PROVE_ATTACKS: 'many words,async calls,guesses' },
    mutants: [
      {
        name: 'a session holds any number of words',
        env: { PROVE_ATTACKS: 'many words' },
        edits: [
          [
            'inspection/capture/session-limits.js',
            'if (amounts.textBytes > maxSessionTextMb * MEGABYTE)',
            'if (amounts.textBytes < 0)',
          ],
          [
            'inspection/capture/session-limits.js',
            'if (amounts.facts > maxSessionFacts)',
            'if (amounts.facts < 0)',
          ],
        ],
        slow: true,
        failsBy: /refused as session_full|memory at its peak|came to its end/,
      },
      {
        name: 'every schema is checked on the main thread',
        env: { PROVE_ATTACKS: 'a schema that' },
        edits: [
          ['flows/schema/check-form.js', 'known.cost > SCHEMAS.share ||', ''],
          ['flows/schema/check-form.js', '> STEPS.share)', '> Infinity)'],
        ],
        slow: true,
        failsBy: /others that were served|the process|came to its end/,
      },
      {
        name: 'listings of any size are stored',
        env: { PROVE_ATTACKS: 'listings' },
        edits: [
          ['flows/tools/mcp-listings.js', 'if (size > listingBytes.share)', 'if (size < 0)'],
          ['flows/tools/mcp-listings.js', '&& this.size <= listingBytes.total', ''],
          ['flows/tools/mcp-fetch.js', 'MOST_LISTING_BYTES + FRAME_BYTES', 'MOST_BYTES'],
        ],
        slow: true,
        failsBy: /listings that were refused|memory at its peak/,
      },
      {
        name: 'answers of targets have any number of values',
        env: { PROVE_ATTACKS: 'wide answers' },
        edits: [
          ['flows/http/http-request.js', 'maxValues: nodeValues.share', 'maxValues: Infinity'],
          [
            'flows/http/http-request.js',
            'parseInTurns(text, nodeValues.share)',
            'parseInTurns(text, Infinity)',
          ],
        ],
        slow: true,
        failsBy: /memory at its peak|answers of 500/,
      },
      {
        name: 'answers that nobody reads stay open',
        env: { PROVE_ATTACKS: 'nobody reads' },
        edits: [
          ['common/http/unread-answers.js', 'response.socket?.destroy();', ''],
          ['common/http/unread-answers.js', 'LOOKS_FROM_OUTSIDE : LOOKS)', 'Infinity : Infinity)'],
        ],
        slow: true,
        failsBy: /answers still open|memory at its peak/,
      },
      {
        name: 'heavy patterns run on the main thread',
        env: { PROVE_ATTACKS: 'patterns' },
        edits: [['flows/nodes/pattern.js', '<= LIGHT_WORK)', '<= Infinity)']],
        slow: true,
        failsBy: /others that were served|came to its end/,
      },
      {
        name: 'callbacks to one target take all places',
        env: { PROVE_ATTACKS: 'callbacks' },
        edits: [
          ['prediction/async/callbacks.js', "{ column: 'target', most: ofTarget.share },", ''],
          ['prediction/async/callbacks.js', "{ column: 'flowId', most: ofFlow.share },", ''],
        ],
        slow: true,
        failsBy: /the callback of another flow/,
      },
      {
        name: 'one caller and one flow take all async runs',
        env: { PROVE_ATTACKS: 'async calls' },
        edits: [
          [
            'executions/async/async-run-store.js',
            'if (Number(unfinished?.ofCaller) > shareOfCaller(most))',
            'if (Number(unfinished?.ofCaller) < 0)',
          ],
          [
            'executions/async/async-run-store.js',
            'if (Number(unfinished?.ofFlow) > shareOfFlow(most))',
            'if (Number(unfinished?.ofFlow) < 0)',
          ],
        ],
        slow: true,
        failsBy: /an async call of another flow/,
      },
    ],
  },
};
