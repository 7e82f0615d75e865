import { useQuery } from '@tanstack/react-query';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { FlowView } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { remedyOf } from './remedy-of.js';

/** A link to the place where an admin can fix the cause: account, block, limit, key, domains or node. */
export function Remedy({ execution }: { execution: ExecutionWithTrace }) {
  const { flowId } = execution;
  const remedy = remedyOf(execution);
  const flow = useQuery({
    queryKey: ['flows', flowId],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(flowId ?? '')}`, { signal }),
    enabled: flowId !== null && remedy === 'top-up',
  });
  switch (remedy) {
    case 'top-up':
      return (
        <LinkButton small to="/console/access/credit" search={{ ...accountOf(flow.data), topUp: 'yes' }}>
          Top up
        </LinkButton>
      );
    case 'lift':
      return (
        <LinkButton small to="/console/access/blocks">
          Lift the block
        </LinkButton>
      );
    case 'limit':
    case 'key':
    case 'domains':
      return (
        <LinkButton small to="/console/access/limits" search={{ edit: flowId ?? '' }}>
          {names[remedy]}
        </LinkButton>
      );
    case 'node':
      return (
        <LinkButton
          small
          to="/console/flows/$id"
          params={{ id: flowId ?? '' }}
          search={{ node: execution.failedNode?.id ?? '' }}
        >
          Edit the node
        </LinkButton>
      );
    default:
      return null;
  }
}

const names = { limit: 'Change the limit', key: 'Change the key', domains: 'Allow a domain' } as const;

const accountOf = (flow: FlowView | undefined): { account?: string } =>
  flow ? { account: flow.account } : {};
