import type { Liveness } from '../../api/event-source.js';
import { Button } from '../../parts/actions/button.js';
import { numberInWords } from '../../parts/words.js';

/** The sticky head of the list: columns, live status, and the number of new rows above. */
export function ListHead({
  liveness,
  waiting,
  onShowNew,
}: {
  liveness: Liveness | 'over';
  waiting: number;
  onShowNew: () => void;
}) {
  return (
    <div className="executions-head">
      <div className="executions-columns" aria-hidden="true">
        {['Status', 'Started', 'Chat', 'Flow', 'Question and outcome', 'HTTP'].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <LiveSign liveness={liveness} />
      <span className="hidden" role="status">
        {waiting > 0 ? `${waiting} new at the top` : ''}
      </span>
      {waiting > 0 && (
        <div className="executions-new">
          <Button look="primary" small onPress={onShowNew}>
            {`${numberInWords(waiting)} new`}
          </Button>
        </div>
      )}
    </div>
  );
}

const signs: Readonly<Record<Liveness | 'over', readonly [look: string, words: string]>> = {
  connecting: ['wait', 'Connecting'],
  live: ['live', 'Live'],
  lost: ['lost', 'Connection lost, reconnecting'],
  refused: ['lost', 'Not live'],
  over: ['over', 'Past range'],
};

function LiveSign({ liveness }: { liveness: Liveness | 'over' }) {
  const [look, words] = signs[liveness];
  return (
    <span className={`live live-${look}`} role="status">
      {words}
    </span>
  );
}
