import type { ExecutionStatus } from '../../../../src/api/execution-terms.js';
import { AlertIcon, CheckIcon, ClockIcon, CloseIcon, MinusIcon, RunningIcon, StopIcon } from '../icons.js';
import './status-tag.css';

type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'still';

type Look = readonly [tone: Tone, name: string, Icon: () => React.ReactNode];

/** Only nodes can be `stopped`. */
const looks: Readonly<Record<ExecutionStatus | 'stopped', Look>> = {
  running: ['busy', 'Running', RunningIcon],
  succeeded: ['good', 'Succeeded', CheckIcon],
  failed: ['bad', 'Failed', AlertIcon],
  aborted: ['still', 'Aborted', StopIcon],
  stopped: ['still', 'Stopped', StopIcon],
  waiting: ['warn', 'Waiting', ClockIcon],
  rejected: ['warn', 'Rejected', CloseIcon],
};

/** The status of an execution or a node as a word, a sign and a colour. An unknown status is shown unchanged. */
export function StatusTag({ status }: { status: string }) {
  const known = Object.hasOwn(looks, status) ? looks[status as keyof typeof looks] : undefined;
  const [tone, name, Icon] = known ?? (['still', status, MinusIcon] as const);
  return (
    <Tag tone={tone} icon={<Icon />} busy={status === 'running'}>
      {name}
    </Tag>
  );
}

export function Tag({
  tone = 'still',
  icon,
  busy = false,
  children,
}: {
  tone?: Tone;
  icon?: React.ReactNode;
  busy?: boolean;
  children: React.ReactNode;
}) {
  return (
    <span className={`tag tag-${tone}${busy ? ' tag-turning' : ''}`}>
      {icon}
      {children}
    </span>
  );
}

export const statusName = (status: ExecutionStatus): string => looks[status][1];
