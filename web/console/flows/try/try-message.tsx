import { Link } from '@tanstack/react-router';
import { RichText } from '../../../common/rich-text.js';
import { AlertIcon, ImageIcon } from '../../parts/icons.js';
import { Duration } from '../../parts/values/duration.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { Reconnecting } from '../../parts/waiting/reconnecting.js';
import { counted, numberInWords } from '../../parts/words.js';
import { adviceFor, type Turn } from './turn.js';

const shown = { running: 'running', done: 'succeeded', failed: 'failed', stopped: 'aborted' } as const;

/** One question with its answer and cost. */
export function TryMessage({ turn }: { turn: Turn }) {
  const { question, photographs, answer, state, warnings } = turn;
  return (
    <article className="try-turn">
      <div className="try-question">
        <span className="hidden">You: </span>
        {question !== '' && <p>{question}</p>}
        {photographs.length > 0 && (
          <ul aria-label="Photographs">
            {photographs.map((name, index) => (
              <li key={index}>
                <ImageIcon /> {name}
              </li>
            ))}
          </ul>
        )}
      </div>
      {answer !== '' && (
        <div className="try-answer">
          <RichText text={answer} />
        </div>
      )}
      {state === 'done' && answer === '' && <p className="try-quiet">The flow answered without text.</p>}
      {turn.error !== undefined && <TryError turn={turn} error={turn.error} />}
      {warnings.length > 0 && (
        <ul className="try-warnings" aria-label="Warnings">
          {warnings.map((warning, index) => (
            <li key={index}>{warning}</li>
          ))}
        </ul>
      )}
      <TurnFoot turn={turn} />
    </article>
  );
}

function TryError({ turn: { failedNode }, error }: { turn: Turn; error: string }) {
  const advice = adviceFor(error);
  return (
    <div className="try-error" role="alert">
      <AlertIcon />
      <div>
        {failedNode && (
          <p>
            <strong>{failedNode.label}</strong> <code>{failedNode.id}</code> failed:
          </p>
        )}
        <p>{error}</p>
        {advice && (
          <p>
            {advice.sentence}{' '}
            <Link to={`/console/access/${advice.page}`}>
              {advice.page === 'credit' ? 'Access, Credit' : 'Access, Credentials'}
            </Link>
            .
          </p>
        )}
      </div>
    </div>
  );
}

function TurnFoot({ turn }: { turn: Turn }) {
  const { state, reconnecting, executionId, durationMs, tokens, credits, refunded, version } = turn;
  return (
    <p className="try-foot">
      {reconnecting ? <Reconnecting /> : <StatusTag status={shown[state]} />}
      {version !== undefined && <span>{version === 'draft' ? 'Draft' : `Version ${version}`}</span>}
      {durationMs !== undefined && <Duration ms={durationMs} />}
      {tokens && <span className="number">{counted(tokens.inputTokens + tokens.outputTokens, 'token')}</span>}
      {credits !== undefined && (
        <span className="number">
          {counted(credits, 'credit')}
          {refunded !== undefined && `, ${numberInWords(refunded)} refunded`}
        </span>
      )}
      {executionId !== undefined && (
        <Link to="/console/executions/$id" params={{ id: executionId }}>
          Execution
        </Link>
      )}
    </p>
  );
}
