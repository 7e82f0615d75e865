import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { FlowVersionView, FlowView } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { FlowGraph } from '../../graph/flow-graph.js';
import { statesOf } from '../../graph/node-states.js';
import { Button } from '../../parts/actions/button.js';
import { Loading } from '../../parts/waiting/loading.js';
import { drawingOfTrace, reachedOf, withCalls } from './run-states.js';

/** A flow with more nodes than this shows only those that ran, until the person asks for all. */
const MANY = 24;

/** Draws the flow with the path that the run took. A deleted flow is drawn from the trace. */
export function FlowPicture({
  execution,
  selected,
  onSelect,
}: {
  execution: ExecutionWithTrace;
  selected: string | undefined;
  onSelect: (nodeId: string) => void;
}) {
  const { flowId, flowVersion, nodes } = execution;
  const query = useQuery({
    queryKey: ['flows', flowId],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(flowId ?? '')}`, { signal }),
    enabled: flowId !== null,
    staleTime: 30_000,
  });
  // The version that ran, unless that is the published one.
  const isEarlier =
    typeof flowVersion === 'number' && query.data !== undefined && query.data.version !== flowVersion;
  const earlier = useQuery({
    queryKey: ['flow-versions', flowId, flowVersion],
    queryFn: ({ signal }) =>
      get<FlowVersionView>(`flows/${segment(flowId ?? '')}/versions/${flowVersion}`, { signal }),
    enabled: isEarlier,
    staleTime: Infinity,
    retry: false,
  });
  const flow = isEarlier && !earlier.error ? earlier.data : query.data;
  const states = useMemo(() => statesOf(nodes), [nodes]);
  const isLarge = (flow?.nodes.length ?? 0) > MANY && states.size > 0;
  const [showsAll, setShowsAll] = useState(false);
  const drawing = useMemo(() => {
    if (!flow) return withCalls(drawingOfTrace(nodes), nodes);
    return withCalls(isLarge && !showsAll ? reachedOf(flow, states) : flow, nodes);
  }, [flow, nodes, states, isLarge, showsAll]);
  const note = flow
    ? flowVersion === 'draft'
      ? 'This run was of a draft. The picture shows the published version.'
      : isEarlier &&
        (earlier.error
          ? 'The version that ran cannot be read. The picture shows the published one.'
          : `Version ${query.data.version} is published. The picture shows version ${flowVersion}, which ran.`)
    : !query.isPending && 'The flow was deleted. The picture shows only what ran.';
  return (
    <div className="picture">
      {(query.isPending || (isEarlier && earlier.isPending)) && flowId !== null ? (
        <Loading label="Loading the flow" lines={3} />
      ) : (
        <FlowGraph definition={drawing} nodeStates={states} selected={selected} onSelect={onSelect} />
      )}
      {(note !== false || isLarge) && (
        <div className="picture-note">
          <p>{note !== false && note}</p>
          {isLarge && (
            <Button small look="quiet" onPress={() => setShowsAll(!showsAll)}>
              {showsAll ? 'Show only what ran' : `Show all ${flow?.nodes.length ?? 0} nodes`}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
