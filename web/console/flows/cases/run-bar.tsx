import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseCalls } from '../../../../src/api/case-terms.js';
import type { CaseRunView, NewCaseRun } from '../../../../src/api/cases.js';
import type { FlowView } from '../../../../src/api/flows.js';
import { Button } from '../../parts/actions/button.js';
import { Select } from '../../parts/entry/select.js';
import { RepeatIcon, StopIcon } from '../../parts/icons.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import { comparable, type useCaseRun } from './use-case-run.js';

type Version = 'published' | 'draft';
type Calls = CaseCalls | 'own';

/** Executions that one press compares. */
const COMPARED = 1_000;

const CALLS = [
  { value: 'own', name: 'As each case says' },
  { value: 'recorded', name: 'Recorded, free' },
  { value: 'live', name: 'Live' },
] as const;

/** Chooses the version and starts a run of all cases, or of the latest executions. */
export function RunBar({
  flow,
  version,
  onVersion,
  hasCases,
  run,
  starting,
  stopping,
}: {
  flow: FlowView;
  version: Version;
  onVersion: (version: Version) => void;
  hasCases: boolean;
  run: CaseRunView | undefined;
} & Pick<ReturnType<typeof useCaseRun>, 'starting' | 'stopping'>) {
  const [calls, setCalls] = useState<Calls>('own');
  const isRunning = run?.status === 'running';
  const order: NewCaseRun = {
    ...(version === 'draft' ? { version } : {}),
    ...(calls === 'own' ? {} : { calls }),
  };
  const comparing = useMutation({
    mutationFn: async () => {
      const executionIds = await comparable(flow.id, COMPARED);
      if (executionIds.length === 0) throw new Error('No execution of this flow has succeeded yet.');
      return starting.mutateAsync({ ...order, executionIds });
    },
  });
  const error = starting.error ?? comparing.error ?? stopping.error;
  return (
    <section className="cases-bar" aria-label="Run cases">
      <Select
        label="Run against"
        options={[
          { value: 'published', name: `Version ${flow.version}, published` },
          ...(flow.draft ? [{ value: 'draft' as const, name: 'The draft' }] : []),
        ]}
        value={version}
        onChange={onVersion}
      />
      <Select label="Calls" options={CALLS} value={calls} onChange={setCalls} />
      <div className="cases-buttons">
        <Button
          look="primary"
          icon={<RepeatIcon />}
          isDisabled={!hasCases || isRunning}
          isPending={starting.isPending}
          onPress={() => starting.mutate(order)}
        >
          Run all cases
        </Button>
        <Button isDisabled={isRunning} isPending={comparing.isPending} onPress={() => comparing.mutate()}>
          Compare the latest executions
        </Button>
        {isRunning && (
          <Button
            look="danger"
            icon={<StopIcon />}
            isPending={stopping.isPending}
            onPress={() => stopping.mutate()}
          >
            Stop
          </Button>
        )}
      </div>
      <p className="cases-note">
        {calls === 'live'
          ? `Models and other services are asked again. Each case costs ${counted(flow.price, 'credit')}.`
          : 'Recorded calls answer as in the execution and cost nothing.'}{' '}
        Cases change no inspection, send no mail, and appear in no list.
      </p>
      {error && <Problem error={error} />}
    </section>
  );
}
