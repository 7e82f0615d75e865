import type { z } from 'zod';
import type { Tokens } from '../../../api/executions.js';
import type { Warning } from '../../../common/warnings.js';
import type { Json } from '../../engine/json.js';
import type { NodeContext, NodeResult } from '../../engine/node-kind.js';
import type { LanguageModel, ModelMessage } from '../../models/language-model.js';
import { answerMessage, askModel, type ModelAnswer, resultMessage } from '../../models/model-answer.js';
import { ModelError } from '../../models/model-error.js';
import type { ToolBox } from '../../tools/tool-box.js';
import type { ToolSettings } from '../../tools/tool.js';
import { drawnCall } from '../../tools/use-tool.js';
import { recall } from '../asking/memory.js';
import { type ConversationConfig, arrange, notShown, tracedMessage } from '../asking/messages.js';
import type { modelConfig } from '../asking/model-config.js';
import { cutWarnings, faultSentence, repairOf, summed } from '../asking/node-answer.js';
import { answerSchema, type structuredOutput } from '../asking/structured-output.js';
import { readStructured } from '../asking/structured-reading.js';
import { memoOf, readMemo } from './agent-memo.js';
import { approvalText } from './approval-text.js';
import { decided, type RoundCall, roundCalls } from './round-calls.js';

export interface AgentConfig extends ConversationConfig {
  model?: z.infer<typeof modelConfig> | undefined;
  tools: ToolSettings[];
  maxRounds?: number | undefined;
  structuredOutput?: z.infer<typeof structuredOutput> | undefined;
}

const USUAL_ROUNDS = 10;

/** One visit of an agent: the conversation with its model, from the first question or from the question to a human. */
export class AgentTalk {
  private messages: ModelMessage[] = [];
  private used: Json[] = [];
  private round = 0;
  private usage: Tokens | undefined;
  private repaired = false;
  private readonly schema: Json | undefined;
  private lastText: 'nothing' | 'before' | 'now' = 'nothing';

  constructor(
    private readonly context: NodeContext<AgentConfig>,
    private readonly model: LanguageModel,
    private readonly box: ToolBox,
  ) {
    const { structuredOutput } = context.config;
    this.schema = structuredOutput && answerSchema(structuredOutput);
  }

  async run(): Promise<NodeResult> {
    if (this.context.answer) await this.goOn(this.context.answer);
    else await this.begin();
    const most = this.context.config.maxRounds ?? USUAL_ROUNDS;
    while (this.round < most) {
      this.round++;
      const answer = await this.ask();
      const last = this.round === most;
      const result = answer.toolCalls.length === 0 ? await this.finish(answer, last) : undefined;
      if (result) return result;
      if (last) break;
      if (answer.toolCalls.length === 0) continue;
      const stopped = await this.useTools(answer);
      if (stopped) return stopped;
    }
    throw new Error(
      `The agent did not answer within ${most} rounds. Raise maxRounds, or say in its messages when to stop.`,
    );
  }

  private async begin(): Promise<void> {
    const { config, run, signal } = this.context;
    const remembered = await recall(config.memory ?? { kind: 'all' }, this.context, this.model, signal);
    this.usage = remembered.usage;
    this.messages = arrange(config, run, remembered.messages);
    this.context.warn(...notShown(run.uploads));
  }

  /** Resumes after a human's answer: makes the pending calls, or tells the model that they were rejected. */
  private async goOn(answer: NonNullable<NodeContext<AgentConfig>['answer']>): Promise<void> {
    const { messages, round, used, calls } = readMemo(answer.memo, this.context.run.uploads);
    [this.messages, this.round, this.used] = [messages, round, used];
    await this.settle(await decided(calls, answer, this.box, this.placed()));
  }

  /** Asks the model, or emits the stored answer of an earlier attempt. */
  private async ask(): Promise<ModelAnswer> {
    const { effects, signal, isLeaf, thinking } = this.context;
    const { definitions: tools } = this.box;
    const { schema } = this;
    const request = {
      messages: this.messages,
      ...(tools.length > 0 ? { tools } : {}),
      ...(schema === undefined ? {} : { schema }),
    };
    const say = schema === undefined ? this.say : () => undefined;
    const listener = { text: say, thinking: isLeaf ? thinking : () => undefined };
    if (this.lastText === 'now') this.lastText = 'before';
    let streamed = false;
    const answer = await effects.within(String(this.round)).answered(
      'model',
      () => {
        streamed = true;
        return askModel(this.model, request, signal, listener);
      },
      ({ toolCalls }) => toolCalls.length > 0,
    );
    if (!streamed) say(answer.text);
    this.usage = summed(this.usage, answer.usage);
    return answer;
  }

  /** Emits text, with a blank line between rounds. */
  private readonly say = (text: string): void => {
    if (text === '') return;
    if (this.lastText === 'before') this.context.token('\n\n');
    this.lastText = 'now';
    this.context.token(text);
  };

  /** Makes the calls of an answer. Calls that need approval stop the run after the others. */
  private async useTools(answer: ModelAnswer): Promise<NodeResult | undefined> {
    this.messages.push(answerMessage(answer));
    this.context.tools(
      'called',
      answer.toolCalls.map((call) => drawnCall(call.name, 'arguments' in call ? call.arguments : {})),
    );
    const calls = await roundCalls(answer.toolCalls, this.box, this.placed());
    const proposed = calls.flatMap(({ call, outcome }) =>
      outcome === undefined && 'arguments' in call ? [{ tool: call.name, arguments: call.arguments }] : [],
    );
    if (proposed.length === 0) {
      await this.settle(calls);
      return undefined;
    }
    const { messages, round, used } = this;
    const preamble = this.context.isLeaf ? '' : answer.text;
    return {
      ...this.result(null, approvalText(preamble, proposed)),
      approval: { feedback: true, calls: proposed, memo: memoOf({ messages, round, used, calls }) },
    };
  }

  private async settle(calls: readonly RoundCall[]): Promise<void> {
    const drawn = calls.map(({ call, outcome }) =>
      drawnCall(call.name, 'arguments' in call ? call.arguments : { malformed: call.malformed.raw }, outcome),
    );
    this.context.tools('used', drawn);
    this.used.push(...drawn);
    for (const { outcome } of calls) this.usage = summed(this.usage, outcome?.tokens);
    for (const { call, outcome } of calls)
      this.messages.push(resultMessage(call, outcome?.text ?? '', outcome?.error !== undefined));
  }

  /** Returns the result; undefined when the answer lacks the requested form and the model is asked once more. */
  private async finish(answer: ModelAnswer, last: boolean): Promise<NodeResult | undefined> {
    const text = lastWords(answer, this.schema !== undefined, this.context.warn);
    const read = this.schema === undefined ? undefined : await readStructured(text, this.schema);
    if (read && 'fault' in read) {
      if (last || this.repaired) throw new ModelError('unreadable', faultSentence(read.fault));
      this.repaired = true;
      this.messages.push(...repairOf(text, read.fault));
      return undefined;
    }
    this.say(this.schema === undefined ? text.slice(answer.text.length) : text);
    const json = read?.json;
    const members = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
    const output = { content: text, ...members, ...(this.used.length > 0 ? { usedTools: this.used } : {}) };
    return { ...this.result(output, text), ...(json === undefined ? {} : { json }) };
  }

  private result(output: Json, text: string): NodeResult {
    const { model } = this.context.config;
    return {
      output,
      text,
      ...(this.usage === undefined ? {} : { tokens: this.usage }),
      traceInput: {
        ...(model ? { model: { provider: model.provider, name: model.name } } : {}),
        tools: [...this.box.tools.keys()],
        messages: this.messages.map(tracedMessage),
      },
    };
  }

  private placed() {
    return { user: this.context, round: this.round };
  }
}

/** Returns the text of the last answer. Throws when it is empty, or the model declined to answer in the requested form. */
function lastWords(
  { text, refusal, finishReason }: ModelAnswer,
  structured: boolean,
  warn: (...warnings: Warning[]) => void,
): string {
  if (refusal !== undefined && refusal.trim() !== '') {
    if (structured)
      throw new ModelError('declined', `The model declined to answer: ${refusal.slice(0, 1_000)}`);
    return text + refusal;
  }
  if (text.trim() === '')
    throw new Error(
      finishReason === 'content-filter'
        ? 'The provider of the model withheld its answer (content filter).'
        : finishReason === 'length'
          ? 'The model used up maxTokens before it answered. Raise maxTokens.'
          : 'The model gave an empty answer, without text or a tool call.',
    );
  warn(...cutWarnings(finishReason));
  return text;
}
