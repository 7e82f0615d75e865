import type { z } from 'zod';
import type { SourceDocument } from '../../api/documents.js';
import type { Tokens } from '../../api/executions.js';
import type { StreamedCall } from '../../api/predictions.js';
import type { Warning } from '../../common/warnings.js';
import type { AnsweredQuestion, HumanQuestion } from './human-question.js';
import type { Json } from './json.js';
import type { NodeEffects } from './node-effects.js';
import type { Lookup } from './template.js';
import type { SubFlow, SubFlowResult } from './within.js';

/** A file of the call: decoded bytes within the limits, or an address. */
export interface Upload {
  /** `file:full` carries text already extracted by the client. */
  type: 'file' | 'url' | 'audio' | 'file:full' | 'file:rag';
  name: string;
  mime: string;
  /** Bytes of the file. Absent when `url` is set. */
  bytes?: Uint8Array;
  url?: string;
  /** The name under which the service stored it before its message arrived; the same for the same file. */
  stored?: string;
  /** The sender's own id of a stored file: the deduplication key of a capture. */
  messageId?: string;
}

/** One earlier message of the chat, oldest first. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** The caller's input and the chat's memory: the same for every node of a run, and never changed. */
export interface RunInput {
  executionId: string;
  flowId: string;
  chatId: string;
  sessionId: string;
  question: string;
  form?: Record<string, Json>;
  uploads: readonly Upload[];
  /**
   * Loads the chat's earlier messages (the newest `limit`, all when absent), oldest first. Calls `onCut` when older ones are
   * left out because of the limit of a call. Lazy, because most flows do not need them.
   */
  history(limit?: number, onCut?: () => void): Promise<ChatMessage[]>;
  vars: ReadonlyMap<string, Json>;
  /** The caller, for fair shares: the checked key, else the address. */
  caller?: string;
  /** The API key that opened the flow for this call; absent when the flow is open or an admin runs it. */
  apiKeyId?: string;
  /** `scheme://host` under which the service is reached, for links. */
  publicUrl: string;
  /** Config values that the caller has set: nodeId → name → value. */
  nodeOverrides?: ReadonlyMap<string, ReadonlyMap<string, Json>>;
}

/** A part of a node's work with its own entry in the trace, such as a tool call. */
export interface NodeCall {
  /** Its id in the trace is `<node id>/<name>`, which cannot be the id of a node. */
  name: string;
  kind: string;
  input: Json;
}

export interface CallResult {
  output: Json;
  /** The message of a failure after which the node continues. */
  error?: string;
}

/** The context of a node's run. `config` is parsed and its texts are filled in. */
export interface NodeContext<Config> {
  nodeId: string;
  label: string;
  config: Config;
  run: RunInput;
  /** The answer of a human to the question of this node (`approval`), in the visit that resumes with it. */
  answer: AnsweredQuestion | undefined;
  /** The output of the latest node on the path to this one (undefined for `start`). */
  input: Json | undefined;
  /** A copy of the flow state. */
  state: Record<string, Json>;
  /**
   * Aborted when the caller has left for good, the run is cancelled or another node failed. Pass it to everything slow.
   */
  signal: AbortSignal;
  /** True if no node follows this one; only then its tokens are part of the answer. */
  isLeaf: boolean;
  token: (text: string) => void;
  thinking: (text: string) => void;
  tools: (phase: 'called' | 'used', tools: StreamedCall[]) => void;
  sources: (documents: SourceDocument[]) => void;
  progress: (progress: Json) => void;
  /** Adds warnings to the caller's answer; equal ones count once. */
  warn: (...warnings: readonly Warning[]) => void;
  /** Masks these secrets, in any spelling, in everything that leaves the run from now on. */
  secret: (...secrets: readonly string[]) => void;
  /** Masks the run's secrets in a text. Do this before the text is cut, so that no part of a secret is left. */
  masked: (text: string) => string;
  /** Fills `{{…}}` in a text of `rawTexts`. Pass `extra` for further names such as `{{output}}`. */
  fill: (template: string, extra?: Record<string, Json>) => Promise<string>;
  /**
   * Fills a written value: a text that is a single reference keeps the type of its value, and the texts in an object or a
   * list are filled at any depth.
   */
  value: (written: Json) => Promise<Json>;
  /** Fills all texts of a value at any depth; `extra` takes precedence. */
  filled: <Value>(value: Value, extra?: Lookup) => Promise<Value>;
  /** Runs a part of the node's work with its own entry in the trace, below this node's. Rejects as `work` does. */
  call: <Result extends CallResult>(
    call: NodeCall,
    work: (runId: string) => Promise<Result>,
  ) => Promise<Result>;
  /** Effects outside of the run's record; each happens once, over all attempts of the run. */
  effects: NodeEffects;
  /**
   * Runs another flow as a part of this run (contract section 9). This is a journaled effect: a stored result is reused, an
   * unfinished sub-run is resumed. Its `tokens` are those not yet counted. `below` is the call to which it belongs in the
   * trace, if any.
   */
  runFlow: (name: string, sub: SubFlow, below?: string) => Promise<SubFlowResult>;
  /** The round of the body that this node closes, from 1 (kind `loop`). */
  round: number;
  /**
   * Runs the nodes whose `parentNode` is this one for an item (kind `iteration`), and resolves to their result.
   */
  runChildren: (item: Json, index: number) => Promise<BodyResult>;
}

/** The result of one round of a body: that of its leaves by the rules of an answer. */
export interface BodyResult {
  text: string;
  /** The text if the last node has one of its own, else its output with its type. */
  value: Json;
}

/** The result of a node: `{{id.output.path}}` reads `output`, `{{id}}` reads `text` (default: `output` as text). */
export interface NodeResult {
  output: Json;
  text?: string;
  /** Structured output of a leaf: `json` of the answer. */
  json?: Json;
  /** Names of the branches to take; absent means all edges without `on`. */
  branches?: string[];
  /** New values of flow state names (set-state, updateState). */
  state?: Record<string, Json>;
  tokens?: Tokens;
  /** The node to go back to, which runs the body again (kind `loop`). */
  loopBackTo?: string;
  /** Stops the run until a human answers; the node then runs again with the `answer` in its context. */
  approval?: HumanQuestion;
  followUpPrompts?: string[];
  /** This node's input in the trace, if it is not the config. */
  traceInput?: Json;
}

/** The parts of a chat that are stored between runs of a flow: its flow state and its messages. */
export interface Persisted {
  state: boolean;
  memory: boolean;
}

/** Codes of the warnings of nodes and tools that an import could not carry over. */
export const PLACEHOLDER_CODES = ['node_missing', 'tool_missing'] as const;

export const isPlaceholderCode = (code: string): boolean =>
  (PLACEHOLDER_CODES as readonly string[]).includes(code);

/** A part that stands for one of another service. */
export interface Placeholder {
  code: (typeof PLACEHOLDER_CODES)[number];
  /** Its name in that service. */
  original: string;
  /** Its place in the config; empty for the whole node. */
  path: string;
}

/** Decides by the config. A method type, so that a kind of any config fits into `NodeKinds`. */
type StreamsRule<Config> = { decide(config: Config): boolean }['decide'];

/**
 * A kind of node: its config schema and its behaviour. Each kind has a file in `flows/nodes/`, listed in
 * `built-in-kinds.ts`; upper modules register theirs (`capture`, `render`). An error from `run` fails the node and the run;
 * its message reaches the flow's owner, so it must not contain a secret.
 */
export interface NodeKind<Config = unknown> {
  kind: string;
  /** Its name on screen. */
  label: string;
  /** The name of its icon in `web/console/graph/kinds.tsx`; an unknown one is drawn as a plain square. */
  icon: string;
  /** The schema; the editor and the API show its descriptions (`describe`). */
  config: z.ZodType<Config>;
  /**
   * Returns the members that its `output` can have, by its config as written; `list` for a list. Absent or undefined: any
   * member. A save warns of references to others.
   */
  outputMembers?(config: Record<string, Json>): readonly string[] | 'list' | undefined;
  /** True if a leaf of this kind makes the flow streamable (contract section 3). */
  streams: boolean | StreamsRule<Config>;
  /** Returns the branches that edges may name in `on`; absent for kinds without branches. */
  branches?(config: Config): string[];
  /** Returns the parts of the node that an import could not carry over. A save warns of each. */
  placeholders?(config: Config): readonly Placeholder[];
  /** Returns the secrets in the config, as written or filled in. */
  secretsIn?(config: Record<string, Json>, written?: Record<string, Json>): string[];
  /** Returns the input for the trace, if the filled config contains secrets. */
  traceOf?(config: Config): Json;
  /** Members of the config whose texts stay as written, because the kind fills them itself or not at all. */
  rawTexts?: readonly string[];
  /** Members of `rawTexts` that are templates, which the kind fills when it runs. */
  filledLater?: readonly string[];
  /**
   * The text of this node as a leaf (contract section 3): its own `text`, the text of the node before it (set-state,
   * condition; loop without a message), or its output as JSON.
   */
  leafText: 'own' | 'previous' | 'own, else previous' | 'json';
  /**
   * Returns the parts of a chat that a flow stores because of this node, by its config as written (`updateState` and texts
   * that read state count anyway). Absent: the kind may set state, so the chat's state is loaded before a run and stored
   * after it. One node that returns `memory: false` turns off the flow's memory.
   */
  persists?(config: Record<string, Json>): Partial<Persisted>;
  run(context: NodeContext<Config>): Promise<NodeResult>;
}

/** The kinds an engine knows, by name. */
export type NodeKinds = ReadonlyMap<string, NodeKind>;
