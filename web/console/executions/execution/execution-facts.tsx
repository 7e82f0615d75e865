import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { Duration } from '../../parts/values/duration.js';
import { Time } from '../../parts/values/time.js';
import { numberInWords } from '../../parts/words.js';
import { Caller } from '../caller.js';

/** The facts of a call: time, duration, price and caller. */
export function ExecutionFacts({ execution }: { execution: ExecutionWithTrace }) {
  const { id, httpStatus, code, startedAt, durationMs, firstTokenMs, tokens, credits, refunded, chatId } =
    execution;
  return (
    <dl className="facts">
      <Fact name="HTTP">
        <span className="number">{httpStatus ?? 'none yet'}</span>
        {code !== undefined && <code>{code}</code>}
      </Fact>
      <Fact name="Started">
        <Time at={startedAt} form="long" />
      </Fact>
      <Fact name="Duration">
        <Duration ms={durationMs} />
        {firstTokenMs !== undefined && (
          <span className="fact-more">
            first token after <Duration ms={firstTokenMs} />
          </span>
        )}
      </Fact>
      <Fact name="Tokens">
        <span className="number">
          {tokens
            ? `${numberInWords(tokens.inputTokens)} in, ${numberInWords(tokens.outputTokens)} out`
            : 'none'}
        </span>
      </Fact>
      <Fact name="Credits">
        <span className="number">{numberInWords(credits)}</span>
        {refunded !== undefined && <span className="fact-more">{numberInWords(refunded)} refunded</span>}
      </Fact>
      <Fact name="Chat">
        {chatId === null ? (
          'none'
        ) : (
          <>
            <Link to="/console/executions" search={{ chatId }} className="fact-id">
              {chatId}
            </Link>
            <CopyButton text={chatId} label="Copy the chat id" />
          </>
        )}
      </Fact>
      <Fact name="Flow">
        <FlowLink execution={execution} />
      </Fact>
      <VersionFact execution={execution} />
      <Fact name="Caller">
        <Caller caller={execution.caller} />
      </Fact>
      {execution.presentedKey && (
        <Fact name="Key presented">
          <bdi>{execution.presentedKey.name}</bdi>
          <span className="fact-more">{execution.presentedKey.revoked ? 'revoked' : 'of another flow'}</span>
        </Fact>
      )}
      <Fact name="Execution" wide>
        <span className="fact-id">{id}</span>
        <CopyButton text={id} label="Copy the execution id" />
      </Fact>
      <Origin name="Stored answer of" id={execution.replayOf} />
      <Origin name="Resumes" id={execution.resumes ?? execution.retryOf} />
    </dl>
  );
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'fact fact-wide' : 'fact'}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Origin({ name, id }: { name: string; id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <Fact name={name} wide>
      <Link to="/console/executions/$id" params={{ id }} className="fact-id">
        {id}
      </Link>
    </Fact>
  );
}

/** The version that ran, with a link to its definition; a draft may have changed since. */
function VersionFact({ execution: { flowId, flowVersion } }: { execution: ExecutionWithTrace }) {
  if (flowId === null || flowVersion === undefined) return null;
  return (
    <Fact name="Version">
      {flowVersion === 'draft' ? (
        'draft'
      ) : (
        <Link to="/console/flows/$id/versions" params={{ id: flowId }} search={{ show: flowVersion }}>
          Version {flowVersion}
        </Link>
      )}
    </Fact>
  );
}

function FlowLink({ execution: { flowId, flowName, code } }: { execution: ExecutionWithTrace }) {
  if (flowId === null) return 'none';
  if (flowName === null)
    return (
      <>
        <span className="fact-id">{flowId}</span>
        {code === 'flow_not_found' && <span className="fact-more">does not exist</span>}
      </>
    );
  return (
    <Link to="/console/flows/$id" params={{ id: flowId }}>
      {flowName}
    </Link>
  );
}
