import type { ModelSettings } from './language-model.js';

/** Members of a request that not every server supports. */
type Member = 'stream_options' | 'max_tokens' | 'temperature' | 'json_schema' | 'json_object';

const SIGNS: readonly (readonly [Member, RegExp])[] = [
  ['stream_options', /stream_?options|include_usage/i],
  ['max_tokens', /max_completion_tokens/i],
  ['temperature', /\btemperature\b/i],
  ['json_schema', /response_?format|json_?schema/i],
  ['json_object', /response_?format|json_?object|json mode/i],
];

/** OpenAI's reasoning models, whose token limit includes reasoning and has another name. */
const COUNTS_THOUGHTS = /^(?:o\d|gpt-(?:[5-9]|\d\d)(?!.*chat))/;

/**
 * The features that a model has refused. Later requests leave out the optional member, or ask for the form of the answer in
 * words.
 */
export class Concessions {
  private readonly left = new Set<Member>();

  constructor({ provider, name }: ModelSettings) {
    // Mistral counts tokens by default, and refuses this member.
    if (provider === 'mistral') this.left.add('stream_options');
    if (provider === 'openai' && COUNTS_THOUGHTS.test(name)) this.left.add('max_tokens');
  }

  without(member: Member): boolean {
    return this.left.has(member);
  }

  /** Learns from a refusal. Returns whether the request may succeed without one of its members. */
  learn(status: number, message: string, sent: Readonly<Record<string, unknown>>): boolean {
    if (status !== 400 && status !== 422) return false;
    for (const [member, sign] of SIGNS) {
      if (this.left.has(member) || !held(sent, member) || !sign.test(message)) continue;
      this.left.add(member);
      return true;
    }
    return false;
  }
}

function held(sent: Readonly<Record<string, unknown>>, member: Member): boolean {
  if (member !== 'json_schema' && member !== 'json_object') return Object.hasOwn(sent, member);
  return (sent['response_format'] as { type?: string } | undefined)?.type === member;
}
