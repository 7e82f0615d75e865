import type { Json } from './json.js';

/** A call of a tool that waits for a human's word. */
export interface ProposedCall {
  /** The tool, as the flow's author calls it. */
  tool: string;
  arguments: Json;
}

/** The question of a node that stops; the `text` of its result is what the human reads. */
export interface HumanQuestion {
  /** The human may say something beside yes or no. */
  feedback?: boolean;
  /** The calls that are to be approved, one or several: one answer is for all of them. */
  calls?: readonly ProposedCall[];
  /**
   * Whatever the node needs to go on from here (an agent: its messages and what it was about to do). Shown to nobody.
   */
  memo?: Json;
}

/** Yes or no, and the words beside. */
export interface HumanAnswer {
  type: 'proceed' | 'reject';
  feedback?: string;
}

/** The answer, as the node is given it that runs again on account of it. */
export interface AnsweredQuestion extends HumanAnswer {
  memo: Json | undefined;
}

/** The labels of the buttons; clients send them as the message of a click without words. */
const APPROVE = 'Proceed';
const REJECT = 'Reject';

interface NamedQuestion {
  /** This stop alone: what clients send back as `startNodeId`. */
  name: string;
  label: string;
  question: HumanQuestion;
}

/** The question as clients draw it, in the shape of Flowise's published ones: two buttons, and a form for words where they are wanted. */
export const actionOf = (
  { name, label, question: { feedback = false, calls } }: NamedQuestion,
  id: string,
): Json => ({
  id,
  mapping: { approve: APPROVE, reject: REJECT },
  elements: [
    { type: 'agentflowv2-approve-button', label: APPROVE },
    { type: 'agentflowv2-reject-button', label: REJECT },
  ],
  data: {
    nodeId: name,
    nodeLabel: label,
    input: {
      humanInputEnableFeedback: feedback,
      ...(calls === undefined
        ? {}
        : { calls: calls.map(({ tool, arguments: given }) => ({ tool, arguments: given })) }),
    },
  },
});
