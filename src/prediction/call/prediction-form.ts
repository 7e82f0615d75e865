import { eventFrame } from '../../common/http/stream-writer.js';
import type { StreamForm } from '../stream/stream-form.js';
import { badEnding, goodEnding } from '../stream/wire-events.js';
import type { AnswerForm } from './answer-form.js';
import { metadataOf } from './prediction-answer.js';

const stream: StreamForm = {
  resumes: true,
  frame: ({ event, data }) => eventFrame(event, data),
  closing: (ending) =>
    'answer' in ending
      ? goodEnding(metadataOf(ending.answer), ending.answer.agentFlowExecutedData)
      : badEnding(ending.error.message),
};

/** JSON and events as clients of predictions read them (contract section 3). */
export const predictionForm: AnswerForm = {
  route: '',
  async: true,
  streamsAlways: false,
  body: (answer) => answer,
  stream: () => stream,
};
