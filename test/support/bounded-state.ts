/** Fields of providers that grow with calls, and the bound of each. */
export const STATE_THAT_GROWS: Readonly<Record<string, string>> = {
  'RenderService.progress': 'renders under way: the queue of the renderer',
  'LanguageModels.warned': 'at most MOST_WARNED causes; then it begins again',
  'AddressBlock.misses': 'addresses that missed a flow in the last minute: three calls each, then blocked',
  'ApiKeys.useNotedAt': 'one entry a key: keys are made by admins',
  'AsyncRuns.own': 'budgets of async and of resumed runs',
  'CaseRuns.underWay': 'budget of runs of cases under way',
  'DrawingQueue.waiting': 'a queue with a maximum',
  'ReportRehearsals.underWay': 'budget of cases that run at once',
  'RunInspections.rehearsed': 'budget of cases that run at once',
  'ChatLocks.lines': 'budget of calls that wait for a chat, within that of calls under way',
  'ExecutionFeed.known': '5,000 records',
  'ExecutionFeed.touched': '500 records',
  'ExecutionFeed.watchers': 'streams of admins: budget of calls with the admin key',
  'FairExtraction.slow': '1,000 documents',
  'FlowStore.compiled': 'budget of compiled flows',
  'ForgottenRuns.suspects': 'runs of this process',
  'FrameKeeper.streams': 'streamed runs: budget of their frames',
  'FrameKeeper.waiting': 'streamed runs: budget of their frames',
  'LiveStreams.ended': '2,000 ended streams',
  'LiveStreams.logs': 'streamed runs: budget of their frames',
  'FunctionSandbox.all': 'four processes',
  'FunctionSandbox.idle': 'four processes',
  'FunctionSandbox.running': 'four processes',
  'FunctionSandbox.waiting': 'a queue with a maximum',
  'InFlight.calls': 'budget of calls under way',
  'LanguageModels.models': '200 settings of models',
  'LateWrites.waiting': 'ends of calls and runs while the database is away: those of calls under way',
  'McpListings.stored': 'budget of listings',
  'PictureWorkers.running': 'three processes',
  'PictureWorkers.waiting': 'four pictures of each capture under way',
  'PresentedKeys.searches': '256 searches',
  'RateLimits.knownFull': 'cleared at a maximum',
  'RefusedTexts.hours': '10,000 addresses',
  'ReplicaSignatures.used': 'signed calls of own processes in two minutes',
  'RunningCalls.contexts': 'calls under way, async and resumed runs: their budgets',
  'StoredBytes.spent': '10,000 owners, twelve figures each',
  'Takeover.underWay': 'runs that are taken over, a few at a time',
  'PhotographPrints.making': 'pictures that are turned, by calls under way',
  'UnreadAnswers.answers': 'calls under way, and their connections',
  'WriteGate.lanes': 'WRITE_LANES',
  'WriteGate.running': 'WRITE_LANES',
  'WriteGate.waiting': 'units of calls and runs under way: each waits for its own',
};

/** Fields that are filled at the start, or hold one entry per kind of thing. */
export const NOT_HELD_FOR_CALLERS: readonly string[] = [
  ...['AnnouncedSecrets.checks', 'AppConfig.corsOrigins', 'AppConfig.givenSecrets', 'AppConfig.mailAllow'],
  ...['AppConfig.outboundAllow', 'AsyncRunStore.endListeners'],
  ...['DefinitionChecks.checks', 'DefinitionChecks.doubts', 'DiskStore.made', 'ErrorForms.forms'],
  ...['ExecutionLog.cancelListeners', 'ExecutionLog.changeListeners', 'ExecutionLog.settledListeners'],
  ...['FlowAccess.checks', 'FlowWrites.creatingListeners', 'FlowWrites.removedListeners', 'Metrics.areas'],
  ...['NodeKindRegistry.byName'],
  ...[
    'OutboundHttp.allowed',
    'RunFiles.sources',
    'Readiness.checks',
    'Readiness.cuts',
    'Readiness.listeners',
    'Readiness.timers',
  ],
  ...['Readiness.readyListeners', 'RecordedRoutes.patterns'],
  ...[
    'RouteTable.routes',
    'Secrets.files',
    'ApprovalUpkeep.endings',
    'Takeover.listeners',
    'ToolTypes.byName',
  ],
  'UploadSweeper.sweeps',
];

/** Module variables that outlive a call, and the bound of each. */
export const MODULE_STATE: Readonly<Record<string, string>> = {
  'common/bodies/body-budget.ts inUseBy': 'budget of request bodies',
  'common/bodies/body-budget.ts readings': 'budget of request bodies',
  'common/budgets/budget.ts declared': 'one entry a budget',
  'database/writes/insert-rows.ts inserts': 'one entry a statement of the code, or a length of vectors',
  'database/postgres/postgres-statements.ts names': '1,000 statements',
  'database/tx.ts numbered': 'cleared at 2,000 statements',
  'documents/search/exact-worker.ts cached': 'the memory of vectors that the searches give out',
  'flows/nodes/pattern.ts compiled': 'budget of compiled patterns',
  'flows/schema/check-form.ts read': 'budget of compiled schemas',
  'pdf/renderer/page/draw-runs.ts COLORS':
    'colours of the templates and of brands, in a worker that ends when idle',
  'pdf/renderer/text/scripts.ts known': 'one entry a code point, in a worker that ends when idle',
};

const MODEL = 'its model: time, size and length of an answer';
const VALUES = 'values of JSON from a target, a function or a tool';
const SUB_FLOW = 'steps and depth of the run: it is the same run';

/** The limits of each node kind. */
export const BOUNDED_KINDS: Readonly<Record<string, string>> = {
  start: 'the call',
  reply: 'the call',
  'set-state': 'the size of the state',
  condition: 'a pattern that is too heavy for the main thread',
  'condition-agent': MODEL,
  llm: MODEL,
  agent: MODEL,
  tool: 'its tool',
  http: VALUES,
  function: 'functions that compute at a time',
  'human-input': MODEL,
  iteration: 'steps of the run',
  loop: 'steps of the run',
  'execute-flow': SUB_FLOW,
  missing: 'it fails',
  retriever: 'the most chunks of a search',
  capture: 'limits of a session, photographs and attachments stored in an hour',
  correct: 'corrections a minute and a day',
  'set-details': 'text of a session',
  render: 'reports that wait to be drawn',
};

/** The limits of each tool. */
export const BOUNDED_TOOLS: Readonly<Record<string, string>> = {
  'date-time': 'the call',
  flow: SUB_FLOW,
  function: 'functions that compute at a time',
  http: VALUES,
  mcp: `${VALUES}; listings of MCP servers in memory`,
  missing: 'it fails',
  'web-page': 'bytes and time of an outbound call',
  retrieve: 'the most chunks of a search',
  capture: 'limits of a session, photographs and attachments stored in an hour',
  correct: 'corrections a minute and a day',
  render: 'reports that wait to be drawn',
};
