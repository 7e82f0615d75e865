import { useQuery } from '@tanstack/react-query';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { FlowView } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { domainOf, type Remedy, remedyOf } from './remedy-of.js';

const names = { limit: 'Change the limit', key: 'Change the key', domains: 'Allow a domain' } as const;

interface RemedyLinkProps {
  remedy: Remedy | undefined;
  flowId: string | null;
  account?: string | undefined;
  /** Credits that the dialog proposes. */
  amount?: number | undefined;
  /** Origin of the refused page. */
  origin?: string | undefined;
  nodeId?: string | undefined;
}

/** A link to the place where an admin can fix the cause: account, block, limit, key, domains or node. */
export function RemedyLink({ remedy, flowId, account, amount, origin, nodeId = '' }: RemedyLinkProps) {
  switch (remedy) {
    case 'top-up':
      return (
        <LinkButton
          small
          to="/console/access/credit"
          search={{
            ...(account === undefined ? {} : { account }),
            topUp: 'yes',
            ...(amount === undefined ? {} : { amount }),
          }}
        >
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
    case 'domains': {
      const domain = remedy === 'domains' ? domainOf(origin) : undefined;
      return (
        <LinkButton
          small
          to="/console/access/limits"
          search={{ edit: flowId ?? '', ...(domain === undefined ? {} : { domain }) }}
        >
          {names[remedy]}
        </LinkButton>
      );
    }
    case 'node':
      return (
        <LinkButton small to="/console/flows/$id" params={{ id: flowId ?? '' }} search={{ node: nodeId }}>
          Edit the node
        </LinkButton>
      );
    default:
      return null;
  }
}

/** The remedy of one execution. */
export function RemedyOfExecution({ execution }: { execution: ExecutionWithTrace }) {
  const { flowId, caller, failedNode } = execution;
  const remedy = remedyOf(execution);
  const flow = useQuery({
    queryKey: ['flows', flowId],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(flowId ?? '')}`, { signal }),
    enabled: flowId !== null && remedy === 'top-up',
  });
  // Without its flow the link would lead to another account.
  if (remedy === 'top-up' && !flow.data) return null;
  return (
    <RemedyLink
      remedy={remedy}
      flowId={flowId}
      account={flow.data?.account}
      origin={caller.origin}
      nodeId={failedNode?.id}
    />
  );
}
