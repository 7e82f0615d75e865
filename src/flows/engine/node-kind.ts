import type { z } from 'zod';
import type { Warning } from '../../common/warnings.js';
import type { AnsweredQuestion, HumanQuestion } from './human-question.js';
import type { Json } from './json.js';
import type { NodeEffects } from './node-effects.js';
import type { TokenUsage } from './run-event.js';
import type { Lookup } from './template.js';
import type { SubFlow, SubFlowResult } from './within.js';

/** A file that came with the call: bytes already bounded and decoded at the edge, or the address of one. */
export interface Upload {
  /** `file:full` carries text already extracted by the client. */
  type: 'file' | 'url' | 'audio' | 'file:full' | 'file:rag';
  name: string;
  mime: string;
  /** Bytes of the file. Absent when `url` is set. */
  bytes?: Uint8Array;
  url?: string;
  /** The name under which the service stored it before its message came: the same file again has the same. */
  stored?: string;
  /** The sender's own name for a stored file, the same where it was stored anew: the duplicate key of a capture. */
  messageId?: string;
}

/** One earlier message of the chat, oldest first. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** The caller's input and the chat's memory: the same for every node of a run, never changed by one. */
export interface RunInput {
  executionId: string;
  flowId: string;
  chatId: string;
  sessionId: string;
  question: string;
  form?: Record<string, Json>;
  uploads: readonly Upload[];
  /**
   * Loads the chat's earlier messages (the newest `limit`, all when absent), oldest first. Calls `onCut` where older ones
   * are left out because a call remembers only so much. Lazy: most flows never ask.
   */
  history(limit?: number, onCut?: () => void): Promise<ChatMessage[]>;
  vars: ReadonlyMap<string, Json>;
  /** The caller, for fair turns between callers: the checked key, else the address. */
  caller?: string;
  /** Which API key opened the flow for this call; absent where the flow is open or an admin runs it. */
  apiKeyId?: string;
  /** `scheme://host` under which the service is reached, for links. */
  publicUrl: string;
  /** Config values of single nodes that the caller may set and did: nodeId → name → value. */
  nodeOverrides?: ReadonlyMap<string, ReadonlyMap<string, Json>>;
}

/** A part of a node's work that the trace shows by itself, such as the call of a tool. */
export interface NodeCall {
  /** Its place in the trace is `<node id>/<name>`, which is the id of no node. */
  name: string;
  kind: string;
  input: Json;
}

export interface CallResult {
  output: Json;
  /** It failed, and the node goes on. */
  error?: string;
}

/** The arguments of a node's run. `config` is parsed and its texts are already filled in. */
export interface NodeContext<Config> {
  nodeId: string;
  label: string;
  config: Config;
  run: RunInput;
  /** Only for the run that goes on because a human has answered what this node asked (`stop`); not for a later visit. */
  answer: AnsweredQuestion | undefined;
  /** The output of the latest node on the way here (undefined for `start`). */
  input: Json | undefined;
  /** A copy of the flow state as this node sees it. */
  state: Record<string, Json>;
  /**
   * Aborted when the caller has left and not come back, the run is cancelled or a sibling failed. Pass it to everything
   * slow.
   */
  signal: AbortSignal;
  /** True when no node follows this one: only then are its tokens part of the answer. */
  isLeaf: boolean;
  token: (text: string) => void;
  thinking: (text: string) => void;
  tools: (phase: 'called' | 'used', tools: Json) => void;
  sources: (documents: Json) => void;
  progress: (progress: Json) => void;
  /** Adds warnings to the caller's answer; equal ones count once. */
  warn: (...warnings: readonly Warning[]) => void;
  /** Masks these, in any spelling, in everything that leaves the run from now on. */
  secret: (...secrets: readonly string[]) => void;
  /** A text without the run's secrets: before it is cut, so that the cut leaves no part of one. */
  masked: (text: string) => string;
  /** Fills `{{…}}` in a text that the node did not have filled in beforehand (`rawTexts`). Pass `extra` for `{{output}}`. */
  fill: (template: string, extra?: Record<string, Json>) => Promise<string>;
  /** Like `fill`, but a template that is one reference and nothing else keeps the type of its value. */
  value: (template: string) => Promise<Json>;
  /** Fills all texts of a value, however deep; what `extra` answers goes before everything else. */
  filled: <Value>(value: Value, extra?: Lookup) => Promise<Value>;
  /** Does a part of the node's work as a run of its own in the trace, below this node's. Rejects as `work` does. */
  call: <Result extends CallResult>(
    call: NodeCall,
    work: (runId: string) => Promise<Result>,
  ) => Promise<Result>;
  /** Effects outside of the run's record: each happens once, whatever number of attempts the run takes. */
  effects: NodeEffects;
  /**
   * Runs another flow as a part of this run (contract section 9). It is an effect of this node, named within it: a result
   * that an earlier attempt had is taken, one that was under way is gone on with. Its `tokens` are those not yet counted. `below` is the call
   * under which it stands in the trace, where it is a part of one.
   */
  runFlow: (name: string, sub: SubFlow, below?: string) => Promise<SubFlowResult>;
  /** Runs of the body that this node closes since it was entered: 1 for the first (kind `loop`). */
  round: number;
  /**
   * Runs the nodes whose `parentNode` is this one, once for an item (kind `iteration`), and resolves to their result.
   */
  runChildren: (item: Json, index: number) => Promise<BodyResult>;
}

/** The result of one round of a body: that of its leaves, by the rules of an answer. */
export interface BodyResult {
  text: string;
  /** The text, where the last node says one of its own; else its output with its type. */
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
  tokens?: TokenUsage;
  /** Go back to this node and run the body again (kind `loop`). */
  loopBackTo?: string;
  /** Stop here until a human answers; the node then runs again and finds the `answer` in its context. */
  stop?: HumanQuestion;
  followUpPrompts?: string[];
  /** This node's input in the trace, when it is not simply the config. */
  traceInput?: Json;
}

/** The parts of a chat that are kept from one run of a flow to the next: its flow state, its messages. */
export interface Persisted {
  state: boolean;
  memory: boolean;
}

/** Decides by the config; written as a method, so that a kind of any config fits into `NodeKinds`. */
type StreamsRule<Config> = { decide(config: Config): boolean }['decide'];

/**
 * A kind of node: its config schema and what it does. One file a kind in `flows/nodes/`, listed in `node-kinds.ts`;
 * `capture` and `render` are handed in by the modules that own them.
 * To throw from `run` fails the node, and the run; the message reaches the flow's owner, so it names no secret.
 */
export interface NodeKind<Config = unknown> {
  kind: string;
  /** Its name on screen. */
  label: string;
  /** The name of its drawing in `web/console/graph/kinds.tsx`; one that is not there is drawn as a plain square. */
  icon: string;
  /** Its members and the whole carry the sentences that the editor and the API show (`describe`). */
  config: z.ZodType<Config>;
  /**
   * Names of the members that its `output` can have, by its config as written; `list` where the output is a list. Absent or
   * undefined: any. A save warns of a reference to another member.
   */
  outputMembers?(config: Record<string, Json>): readonly string[] | 'list' | undefined;
  /** Whether a leaf of this kind makes the flow streamable (contract section 3). */
  streams: boolean | StreamsRule<Config>;
  /** Branch names that edges may use in `on`, for branching kinds; absent = no branches. */
  branches?(config: Config): string[];
  /** Secrets that stand in the config, as written or as it was filled in. */
  secretsIn?(config: Record<string, Json>, written?: Record<string, Json>): string[];
  /** The input in the trace, where the filled config holds what nobody should read (secrets). */
  traceOf?(config: Config): Json;
  /** Config paths (dotted, first member only is enough) whose texts stay as written, for kinds that fill them themselves. */
  rawTexts?: readonly string[];
  /** Of these, the ones that are templates: the kind fills them in when it runs. */
  filledLater?: readonly string[];
  /**
   * The text of this node when it is the leaf (contract section 3): its own `text`, the text of what came before it
   * (set-state, condition; loop where it says nothing), or its output as JSON.
   */
  leafText: 'own' | 'previous' | 'own, else previous' | 'json';
  /**
   * The parts of a chat that a flow keeps because of this node, by its config as written (`updateState` and whatever
   * reads state count anyway). Absent: its kind may set state, so the chat's is read before a run and kept after it. One
   * node that says `memory: false` turns off the flow's memory.
   */
  persists?(config: Record<string, Json>): Partial<Persisted>;
  run(context: NodeContext<Config>): Promise<NodeResult>;
}

/** The kinds an engine knows, by name. */
export type NodeKinds = ReadonlyMap<string, NodeKind>;
