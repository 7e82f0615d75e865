import type { z } from 'zod';
import type { Warning } from '../../common/warnings.js';
import type { Json } from './json.js';
import type { NodeEffects } from './node-effects.js';
import type { TokenUsage } from './run-event.js';

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
}

/** One earlier message of the chat, oldest first. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** What the caller sent and what the chat remembers: the same for every node of a run, never changed by one. */
export interface RunInput {
  executionId: string;
  flowId: string;
  chatId: string;
  sessionId: string;
  question: string;
  form?: Record<string, Json>;
  humanInput?: { type: 'proceed' | 'reject'; startNodeId: string; feedback?: string };
  uploads: readonly Upload[];
  /** Loads the chat's earlier messages (the newest `limit`, all when absent), oldest first. Lazy: most flows never ask. */
  history(limit?: number): Promise<ChatMessage[]>;
  vars: ReadonlyMap<string, Json>;
  /** Who called, for whatever takes turns between callers: the checked key, else the address. */
  caller?: string;
  /** The hash of the API key that the caller presented and the guards checked, where there was one. */
  apiKeyId?: string;
  /** `scheme://host` under which the service is reached, for links. */
  publicUrl: string;
  /** Config values of single nodes that the caller may set and did: nodeId → name → value. */
  nodeOverrides?: ReadonlyMap<string, ReadonlyMap<string, Json>>;
}

/** What a node is given while it runs. `config` is parsed and its texts are already filled in. */
export interface NodeContext<Config> {
  nodeId: string;
  label: string;
  config: Config;
  run: RunInput;
  /** The output of the latest node on the way here (undefined for `start`). */
  input: Json | undefined;
  /** A copy of the flow state as this node sees it. */
  state: Record<string, Json>;
  /** Aborted when the caller is gone for good, the run is cancelled or a sibling failed. Pass it to everything slow. */
  signal: AbortSignal;
  /** True when nothing follows this node: only then are its tokens part of the answer. */
  isLeaf: boolean;
  token: (text: string) => void;
  thinking: (text: string) => void;
  tools: (phase: 'called' | 'used', tools: Json) => void;
  sources: (documents: Json) => void;
  progress: (progress: Json) => void;
  /** Tells the caller of the run; equal ones are told once. */
  warn: (...warnings: readonly Warning[]) => void;
  /** From now on nobody outside of the run is told these: whatever tells them in whatever spelling is masked. */
  secret: (...secrets: readonly string[]) => void;
  /** A text without the run's secrets: before it is cut, so that the cut leaves no part of one. */
  masked: (text: string) => string;
  /** Fills `{{…}}` in a text that the node did not have filled in beforehand (`rawTexts`). Pass `extra` for `{{output}}`. */
  fill: (template: string, extra?: Record<string, Json>) => Promise<string>;
  /** Like `fill`, but a template that is one reference and nothing else keeps the type of its value. */
  value: (template: string) => Promise<Json>;
  /** What the node does outside of the run's record: each effect once, whatever number of attempts the run takes. */
  effects: NodeEffects;
  /** Runs the nodes whose `parentNode` is this one, once for an item (kinds `iteration`). Resolves to the last node's text and output. */
  runChildren: (item: Json, index: number) => Promise<{ text: string; output: Json }>;
}

/** What a node answers. `output` is what `{{nodeId.output.path}}` reads; `text` what `{{nodeId}}` reads (default: its text form). */
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
  /** Stop here until a human answers (kind `human-input`). */
  stop?: { action: Json };
  followUpPrompts?: string[];
  /** What the trace shows as this node's input, when it is not simply the config. */
  traceInput?: Json;
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
  config: z.ZodType<Config>;
  /** Whether a leaf of this kind makes the flow streamable (contract section 3). */
  streams: boolean | StreamsRule<Config>;
  /** Branch names that edges may use in `on`, for branching kinds; absent = no branches. */
  branches?(config: Config): string[];
  /** Secrets that stand in the config, as written or as it was filled in. */
  secretsIn?(config: Record<string, Json>, written?: Record<string, Json>): string[];
  /** What the trace shows as the input, where the filled config holds what nobody should read (secrets). */
  traceOf?(config: Config): Json;
  /** Config paths (dotted, first member only is enough) whose texts stay as written, for kinds that fill them themselves. */
  rawTexts?: readonly string[];
  /**
   * The text of this node when it is the leaf (contract section 3): its own `text`, the text of what came before it
   * (set-state, condition), or its output as JSON.
   */
  leafText: 'own' | 'previous' | 'json';
  run(context: NodeContext<Config>): Promise<NodeResult>;
}

/** The kinds an engine knows, by name. */
export type NodeKinds = ReadonlyMap<string, NodeKind>;
