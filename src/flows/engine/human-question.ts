import type { ApprovalAction, ProposedCall } from '../../api/executions.js';
import type { Json } from './json.js';

/** The question of a node that stops for approval; the human reads the `text` of its result. */
export interface HumanQuestion {
  /** The human may add a comment. */
  feedback?: boolean;
  /** The calls to approve; one answer is for all of them. */
  calls?: readonly ProposedCall[];
  /**
   * The data that the node needs to resume (an agent: its messages and pending calls). Never shown.
   */
  memo?: Json;
}

/** The decision of a human, with a comment. */
export interface HumanAnswer {
  type: 'proceed' | 'reject';
  feedback?: string;
}

/** The answer in the context of the node that runs again because of it. */
export interface AnsweredQuestion extends HumanAnswer {
  memo: Json | undefined;
}

/** The labels of the buttons; clients send them as the message of a click. */
const APPROVE = 'Proceed';
const REJECT = 'Reject';

interface NamedQuestion {
  /** The unique name of this question, which clients send back as `startNodeId`. */
  name: string;
  label: string;
  question: HumanQuestion;
}

/** Returns the question for clients in the form of Flowise: two buttons, and a form for a comment when feedback is on. */
export const actionOf = (
  { name, label, question: { feedback = false, calls } }: NamedQuestion,
  id: string,
): ApprovalAction => ({
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
      ...(calls === undefined ? {} : { calls: [...calls] }),
    },
  },
});
